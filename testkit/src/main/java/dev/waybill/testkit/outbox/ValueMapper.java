package dev.waybill.testkit.outbox;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import org.jspecify.annotations.Nullable;

/** Makes events of the values that a test publishes. Thread-safe. */
@FunctionalInterface
public interface ValueMapper {

    /**
     * The event of a value.
     *
     * @param destination where it goes; {@code null}: the value's class says so
     * @param key         what order is kept for; {@code null}: the value's class says so, or there is none
     * @throws IllegalArgumentException if the destination is missing
     */
    Event map(@Nullable String destination, @Nullable String key, Object value);

    /** The type is the simple name of the class, the payload the text of the value; a destination has to be given. */
    static ValueMapper simple() {
        return (destination, key, value) -> {
            String type = value.getClass().getSimpleName();
            if (destination == null) {
                throw new IllegalArgumentException("Nothing says where a " + type
                        + " goes. Publish it with a destination, or make the TestOutbox with a ValueMapper: for classes with"
                        + " @PublishedEvent there is SpringTestOutbox.create() in waybill-testkit-spring.");
            }
            Event.Builder event = Event.to(destination)
                    .type(type)
                    .payload(Payload.utf8(value.toString()))
                    .contentType("text/plain");
            return (key == null ? event : event.key(key)).build();
        };
    }
}
