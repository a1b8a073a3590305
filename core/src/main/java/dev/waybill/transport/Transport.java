package dev.waybill.transport;

import java.util.List;

/**
 * Carries events to one kind of destination. Thread-safe.
 *
 * <p>A relay hands over at most one delivery of a (destination, key) at a time, and the next one only after the result;
 * across keys everything may be pipelined.
 */
public interface Transport extends AutoCloseable {

    /**
     * Starts delivering and returns without waiting. Each delivery gets one result through the listener, from any
     * thread, before or after this method returns. A delivery without a result within the relay's time-out counts as
     * failed with an unknown outcome: it is sent again with the same event id. If this method throws, the same holds for every
     * delivery of the batch that has no result yet.
     */
    void send(List<Delivery> batch, DeliveryListener listener);

    /** Releases what the transport holds. Deliveries without a result never get one. Idempotent. */
    @Override
    void close();
}
