package dev.waybill.transport;

import java.util.List;

/**
 * Carries events to one kind of destination. Thread-safe.
 *
 * <p>A relay hands over at most one delivery of a (destination, key) at a time, and the next one only after the result, unless
 * the transport {@linkplain #keepsOrder keeps their order}; across keys everything may be pipelined.
 */
public interface Transport extends AutoCloseable {

    /**
     * Starts delivering and returns without waiting. Each delivery gets one result through the listener, from any
     * thread, before or after this method returns. A delivery without a result within the relay's time-out counts as
     * failed with an unknown outcome: it is sent again with the same event id. If this method throws, the same holds for every
     * delivery of the batch that has no result yet.
     */
    void send(List<Delivery> batch, DeliveryListener listener);

    /**
     * Whether a delivery that fails keeps those behind it from arriving. Then a relay hands over several of a (destination, key) at
     * a time: next to each other in one batch, in their order, and the next ones after the result of the last.
     *
     * <p>A transport that says so promises: a delivery arrives only after all that are ahead of it in the batch, of the same
     * (destination, key), have arrived. Their results come in that order. After the first that is not
     * {@link DeliveryResult.Delivered} those behind it get no result; the relay hands them over again.
     */
    default boolean keepsOrder() {
        return false;
    }

    /** Releases what the transport holds. Deliveries without a result never get one. Idempotent. */
    @Override
    void close();
}
