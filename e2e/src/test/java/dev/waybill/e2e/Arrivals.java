package dev.waybill.e2e;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A destination that notes, for each key, the payloads in the order in which they arrive. Thread-safe. */
final class Arrivals implements Transport {
    private final Map<String, List<String>> byKey = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong last = new AtomicLong();
    private final Set<Integer> replays = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Function<Delivery, @Nullable DeliveryResult> refusal;

    /** From now on what the rule answers does not arrive; {@code null} rules nothing. */
    void refuse(@Nullable Function<Delivery, @Nullable DeliveryResult> rule) {
        refusal = rule;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            Function<Delivery, @Nullable DeliveryResult> rule = refusal;
            DeliveryResult refused = rule == null ? null : rule.apply(delivery);
            if (refused == null) {
                arrive(delivery);
            }
            listener.onResult(delivery, refused == null ? DeliveryResult.delivered() : refused);
        }
    }

    private void arrive(Delivery delivery) {
        String key = String.valueOf(delivery.event().key());
        List<String> texts = byKey.computeIfAbsent(key, k -> new ArrayList<>());
        synchronized (texts) {
            texts.add(delivery.event().payload().utf8());
        }
        replays.add(delivery.replay());
        last.set(System.nanoTime());
        count.incrementAndGet();
    }

    long count() {
        return count.get();
    }

    /** From a time of {@link System#nanoTime} to the last arrival. */
    Duration lastAfter(long nanoTime) {
        return Duration.ofNanos(last.get() - nanoTime);
    }

    /** The replay generations that arrivals came with. */
    Set<Integer> replays() {
        return Set.copyOf(replays);
    }

    List<String> of(String key) {
        List<String> texts = byKey.getOrDefault(key, List.of());
        synchronized (texts) {
            return List.copyOf(texts);
        }
    }

    /** Without repetitions. */
    List<String> firstsOf(String key) {
        return List.copyOf(new LinkedHashSet<>(of(key)));
    }

    @Override
    public void close() {}
}
