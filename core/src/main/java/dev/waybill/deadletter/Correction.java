package dev.waybill.deadletter;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different in an event; {@code null} stays as it is. Immutable.
 *
 * <p>Not its id, destination and key: those say what it is, where it goes and what order it is part of.
 *
 * @param headers all of them, not only those that change
 */
public record Correction(
        @Nullable String type,
        @Nullable Integer version,
        @Nullable Payload payload,
        @Nullable String contentType,
        @Nullable Map<String, String> headers) {

    public Correction {
        headers = headers == null ? null : Map.copyOf(headers);
    }

    public static Correction none() {
        return new Correction(null, null, null, null, null);
    }

    public Correction withType(String name, int number) {
        return new Correction(name, number, payload, contentType, headers);
    }

    public Correction withPayload(Payload bytes) {
        return new Correction(type, version, bytes, contentType, headers);
    }

    public Correction withContentType(String mediaType) {
        return new Correction(type, version, payload, mediaType, headers);
    }

    public Correction withHeaders(Map<String, String> all) {
        return new Correction(type, version, payload, contentType, all);
    }

    /**
     * The event with the corrections.
     *
     * @throws dev.waybill.event.InvalidEventException if that would not be a valid event
     */
    public Event of(Event event) {
        return new Event(
                event.id(),
                event.destination(),
                event.key(),
                type == null ? event.type() : type,
                version == null ? event.version() : version,
                payload == null ? event.payload() : payload,
                contentType == null ? event.contentType() : contentType,
                headers == null ? event.headers() : headers,
                event.occurredAt(),
                event.availableAt());
    }
}
