package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A destination that takes everything at once and remembers it. Thread-safe. */
public final class RecordingTransport implements Transport {
    private final Queue<Delivery> arrived = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            if (closed) {
                listener.onResult(delivery, DeliveryResult.unavailable("The transport is closed."));
            } else {
                arrived.add(delivery);
                listener.onResult(delivery, DeliveryResult.delivered());
            }
        }
    }

    /** All that arrived, in the order of arrival. */
    public List<Delivery> arrived() {
        return List.copyOf(arrived);
    }

    /** The ids of all that arrived, in the order of arrival. */
    public List<UUID> arrivedIds() {
        return arrived.stream().map(delivery -> delivery.event().id()).toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
