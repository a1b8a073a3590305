package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Makes deliveries and keeps all their results by event. Thread-safe. */
final class Answers implements DeliveryListener {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<Event, List<DeliveryResult>> results = new ConcurrentHashMap<>();
    private final AtomicLong sends = new AtomicLong();

    @Override
    public void onResult(Delivery delivery, DeliveryResult result) {
        // In one step: who sees the event sees its result.
        results.compute(delivery.event(), (event, known) -> {
            List<DeliveryResult> all = known == null ? new CopyOnWriteArrayList<>() : known;
            all.add(result);
            return all;
        });
    }

    Delivery delivery(Event event) {
        long id = sends.incrementAndGet();
        return new Delivery(event, id, 1, 0, id);
    }

    /** Sends one event and waits for its result. */
    DeliveryResult of(KafkaTransport transport, Event event) {
        transport.send(List.of(delivery(event)), this);
        return of(event);
    }

    /** Waits for the only result of an event. */
    DeliveryResult of(Event event) {
        await(() -> results.containsKey(event));
        List<DeliveryResult> found = results.getOrDefault(event, List.of());
        if (found.size() != 1) {
            throw new AssertionError("Not one result but " + found);
        }
        return found.get(0);
    }

    /** Waits until so many events have a result. */
    void await(int events) {
        await(() -> results.size() >= events);
    }

    /** All results, by event. */
    Map<Event, List<DeliveryResult>> all() {
        return Map.copyOf(results);
    }

    private static void await(BooleanSupplier condition) {
        // Awaitility costs a thread for each wait: too much for a thousand results that are there already.
        if (!condition.getAsBoolean()) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition::getAsBoolean);
        }
    }
}
