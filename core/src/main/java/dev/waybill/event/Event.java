package dev.waybill.event;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened and has to reach its destination. Immutable and validated on construction.
 *
 * <p>Events with the same destination and key are delivered in order; an event without a key has no order
 * and never holds another one back.
 *
 * @param id          identifies the event for consumers, a UUID of version 7 unless set
 * @param destination where it goes: a name that the relay has a route for
 * @param key         what order is kept for, usually the aggregate's id
 * @param type        name of the event's type
 * @param version     version of the event's type, from 1
 * @param payload     the bytes to deliver
 * @param contentType media type of the payload
 * @param headers     further attributes, delivered with the payload
 * @param occurredAt  when it happened
 * @param availableAt not to be delivered before this time; {@code null}: at once
 */
public record Event(
        UUID id,
        String destination,
        @Nullable String key,
        String type,
        int version,
        Payload payload,
        String contentType,
        Map<String, String> headers,
        Instant occurredAt,
        @Nullable Instant availableAt) {

    public Event {
        EventRules.required("id", id);
        EventRules.name("destination", destination);
        EventRules.key(key);
        EventRules.name("type", type);
        EventRules.version(version);
        EventRules.required("payload", payload);
        EventRules.contentType(contentType);
        headers = EventRules.headers(headers);
        EventRules.required("occurredAt", occurredAt);
        EventRules.time("occurredAt", occurredAt);
        // Databases keep microseconds; an event equals what comes back from the store.
        occurredAt = occurredAt.truncatedTo(ChronoUnit.MICROS);
        if (availableAt != null) {
            EventRules.time("availableAt", availableAt);
            availableAt = availableAt.truncatedTo(ChronoUnit.MICROS);
        }
    }

    /** Starts an event for a destination. */
    public static Builder to(String destination) {
        return new Builder(destination);
    }

    /** The same event in another version of its type. */
    public Event inVersion(int number, Payload bytes) {
        return new Event(id, destination, key, type, number, bytes, contentType, headers, occurredAt, availableAt);
    }

    /** The same event with further headers, which replace those of the same name. */
    public Event withHeaders(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new Event(id, destination, key, type, version, payload, contentType, all, occurredAt, availableAt);
    }

    /** Collects the fields of an event; not thread-safe. A type is required, all else has a default. */
    public static final class Builder {
        private final String destination;
        private @Nullable UUID id;
        private @Nullable String key;
        private @Nullable String type;
        private int version = 1;
        private Payload payload = Payload.empty();
        private String contentType = "application/octet-stream";
        private final Map<String, String> headers = new LinkedHashMap<>();
        private @Nullable Instant occurredAt;
        private @Nullable Instant availableAt;

        private Builder(String destination) {
            this.destination = destination;
        }

        public Builder id(UUID id) {
            this.id = id;
            return this;
        }

        public Builder key(String key) {
            this.key = key;
            return this;
        }

        public Builder type(String type) {
            this.type = type;
            return this;
        }

        public Builder version(int version) {
            this.version = version;
            return this;
        }

        public Builder payload(Payload payload) {
            this.payload = payload;
            return this;
        }

        public Builder payload(byte[] bytes) {
            return payload(Payload.of(bytes));
        }

        /** A JSON text as payload, with its content type. */
        public Builder json(String json) {
            return payload(Payload.utf8(json)).contentType("application/json");
        }

        public Builder contentType(String contentType) {
            this.contentType = contentType;
            return this;
        }

        public Builder header(String name, String value) {
            EventRules.header(name, value);
            headers.put(name, value);
            return this;
        }

        public Builder occurredAt(Instant occurredAt) {
            this.occurredAt = occurredAt;
            return this;
        }

        /** Delays delivery. A delayed event with a key holds its key until it is due: timers use no key. */
        public Builder availableAt(Instant availableAt) {
            this.availableAt = availableAt;
            return this;
        }

        /** Delays delivery from now on; see {@link #availableAt}. */
        public Builder availableIn(Duration delay) {
            return availableAt(EventRules.after(Instant.now(), delay));
        }

        public Event build() {
            return new Event(
                    id == null ? EventId.next() : id,
                    destination,
                    key,
                    EventRules.required("type", type),
                    version,
                    payload,
                    contentType,
                    headers,
                    occurredAt == null ? Instant.now() : occurredAt,
                    availableAt);
        }
    }
}
