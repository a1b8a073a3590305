package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A delivery that was accepted, and its one answer. Thread-safe. */
final class Shipment {
    private static final Logger log = LoggerFactory.getLogger(Shipment.class);

    private final Delivery delivery;
    private final DeliveryListener listener;
    private final BooleanSupplier closed;
    private final long acceptedAt;
    private final AtomicBoolean answered = new AtomicBoolean();

    Shipment(Delivery delivery, DeliveryListener listener, BooleanSupplier closed, long acceptedAt) {
        this.delivery = delivery;
        this.listener = listener;
        this.closed = closed;
        this.acceptedAt = acceptedAt;
    }

    Delivery delivery() {
        return delivery;
    }

    /** When it was accepted, by {@link System#nanoTime}. */
    long acceptedAt() {
        return acceptedAt;
    }

    /** Answers once; after the transport was closed not at all. */
    void answer(DeliveryResult result) {
        if (closed.getAsBoolean() || !answered.compareAndSet(false, true)) {
            return;
        }
        try {
            listener.onResult(delivery, result);
        } catch (RuntimeException | Error e) {
            // It runs on Kafka's threads, which must not die of it.
            log.error("The listener threw on the result of send {}", delivery.sendId(), e);
        }
    }
}
