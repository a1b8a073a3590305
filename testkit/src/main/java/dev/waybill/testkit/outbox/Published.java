package dev.waybill.testkit.outbox;

import dev.waybill.event.Event;
import org.jspecify.annotations.Nullable;

/**
 * One event that was published. Immutable.
 *
 * @param value what the event was made of; {@code null}: it was published as an event
 */
public record Published(Event event, @Nullable Object value) {

    /** For people: payloads are shown, as this is for tests only. */
    String describe() {
        StringBuilder text = new StringBuilder(event.type())
                .append(" to ")
                .append(event.destination())
                .append(event.key() == null ? ", no key" : ", key \"" + event.key() + "\"");
        if (!event.headers().isEmpty()) {
            text.append(", headers ").append(event.headers());
        }
        return text.append(": ")
                .append(value == null ? event.payload().utf8() : value)
                .toString();
    }
}
