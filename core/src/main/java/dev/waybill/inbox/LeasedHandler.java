package dev.waybill.inbox;

import dev.waybill.transport.Delivery;

/** Lets an event take effect outside of the inbox's database: a mail, a payment. Thread-safe. */
@FunctionalInterface
public interface LeasedHandler {

    /**
     * Handles one event while nobody else does, unless it takes longer than the lease.
     *
     * @param epoch grows with every take-over of this event: hand it on, so that the other side can refuse one that was
     *              overtaken
     * @throws Exception if the event could not be handled
     */
    void handle(Delivery delivery, long epoch) throws Exception;
}
