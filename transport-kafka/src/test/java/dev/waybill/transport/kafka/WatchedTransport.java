package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;

/** Passes deliveries on and notes what the answers are. Thread-safe. */
final class WatchedTransport implements Transport {
    private final Transport transport;
    private final Set<UUID> delivered = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListSet<Long> deliveredAt = new ConcurrentSkipListSet<>();
    private final Map<Long, DeliveryResult> answers = new ConcurrentHashMap<>();
    private final Queue<DeliveryResult> secondAnswers = new ConcurrentLinkedQueue<>();
    private final Queue<DeliveryResult> failures = new ConcurrentLinkedQueue<>();

    WatchedTransport(Transport transport) {
        this.transport = transport;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        transport.send(batch, (delivery, result) -> {
            note(delivery, result);
            listener.onResult(delivery, result);
        });
    }

    private void note(Delivery delivery, DeliveryResult result) {
        if (answers.putIfAbsent(delivery.sendId(), result) != null) {
            secondAnswers.add(result);
        }
        if (result.equals(DeliveryResult.delivered())) {
            deliveredAt.add(System.nanoTime());
            delivered.add(delivery.event().id());
        } else {
            failures.add(result);
        }
    }

    /** Different events that have arrived. */
    int delivered() {
        return delivered.size();
    }

    /** When the first event after this time arrived, by {@link System#nanoTime}. */
    OptionalLong firstArrivalAfter(long time) {
        Long first = deliveredAt.ceiling(time);
        return first == null ? OptionalLong.empty() : OptionalLong.of(first);
    }

    List<DeliveryResult> secondAnswers() {
        return List.copyOf(secondAnswers);
    }

    List<DeliveryResult> failures() {
        return List.copyOf(failures);
    }

    @Override
    public boolean keepsOrder() {
        return transport.keepsOrder();
    }

    @Override
    public void close() {
        transport.close();
    }
}
