package dev.waybill.inbox;

import dev.waybill.transport.Delivery;

/**
 * Lets an event take effect within a transaction. Thread-safe: events of different keys are handled at the same time.
 *
 * @param <T> the transaction
 */
@FunctionalInterface
public interface InboxHandler<T> {

    /**
     * Handles one event. Whatever it does through the transaction is committed together with the record that the event was
     * handled, or not at all. It leaves ending the transaction to the inbox.
     *
     * @throws Exception if the event could not be handled: one that is marked as
     *     {@link dev.waybill.transport.NonRetryableException} says that it never will
     */
    void handle(T transaction, Delivery delivery) throws Exception;
}
