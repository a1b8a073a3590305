package dev.waybill.inbox;

import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.transport.Delivery;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event as it waits in the siding, where its destination is the consumer, and back. */
final class Siding {

    private Siding() {}

    static Event aside(String consumer, Delivery delivery) {
        Event event = delivery.event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        headers.put(EventHeaders.ORIGIN, event.destination());
        headers.put(EventHeaders.ORIGIN_SEQUENCE, Long.toString(delivery.sequence()));
        return move(event, consumer, headers);
    }

    /** The delivery as the consumer got it first, with the attempt that this one is. */
    static Delivery origin(Delivery aside) {
        Event event = aside.event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        String origin = headers.remove(EventHeaders.ORIGIN);
        String sequence = headers.remove(EventHeaders.ORIGIN_SEQUENCE);
        return new Delivery(
                move(event, origin == null ? event.destination() : origin, headers),
                number(sequence, aside.sequence()),
                aside.attempt(),
                aside.replay(),
                aside.sendId());
    }

    /** Somebody may have edited the headers. */
    private static long number(@Nullable String text, long otherwise) {
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private static Event move(Event event, String destination, Map<String, String> headers) {
        return new Event(
                event.id(),
                destination,
                event.key(),
                event.type(),
                event.version(),
                event.payload(),
                event.contentType(),
                headers,
                event.occurredAt(),
                null);
    }
}
