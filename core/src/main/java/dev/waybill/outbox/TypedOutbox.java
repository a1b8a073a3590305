package dev.waybill.outbox;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outbox that also takes values of the application's own classes, and makes events of them.
 *
 * <p>Unlike a plain {@link Outbox} it joins whatever transaction the calling thread is in, so that one instance serves all
 * threads.
 */
public interface TypedOutbox extends Outbox {

    /**
     * Publishes a value whose class says where it goes, or an {@link dev.waybill.event.Event} as it is.
     *
     * @return the event's id
     * @throws IllegalArgumentException if the class does not say where its values go
     * @throws dev.waybill.event.PayloadCodecException if the value cannot be written
     */
    UUID publish(Object value);

    /**
     * Publishes a value to a destination.
     *
     * @param key what order is kept for; {@code null}: no order, unless the class of the value names a key
     */
    UUID publish(String destination, @Nullable String key, Object value);
}
