package dev.waybill.inbox;

import dev.waybill.transport.Delivery;

/**
 * Like {@link InboxHandler}, for the typed value of an event.
 *
 * @param <T> the transaction
 * @param <V> the value
 */
@FunctionalInterface
public interface ValueHandler<T, V> {

    void handle(T transaction, V value, Delivery delivery) throws Exception;
}
