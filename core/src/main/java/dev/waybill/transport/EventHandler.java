package dev.waybill.transport;

/** Handles the events of one type. Returning means that the event has arrived; throwing that it has not. */
@FunctionalInterface
public interface EventHandler {

    /**
     * Handles one delivery.
     *
     * @throws RejectedEventException if this event will never work
     * @throws Exception if it may work later
     */
    void handle(Delivery delivery) throws Exception;
}
