package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Remembers all results, in the order in which they came. Thread-safe. */
final class Results implements DeliveryListener {
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

    @Override
    public void onResult(Delivery delivery, DeliveryResult result) {
        seen.add(new Seen(delivery, result));
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }
}
