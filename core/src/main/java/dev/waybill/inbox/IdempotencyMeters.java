package dev.waybill.inbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts how often an event was new to its consumer. Thread-safe. */
final class IdempotencyMeters {
    private final MeterRegistry registry;
    private final Map<String, Counter> hits = new ConcurrentHashMap<>();
    private final Map<String, Counter> misses = new ConcurrentHashMap<>();

    IdempotencyMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(String consumer, Claim claim) {
        if (claim.isDuplicate()) {
            hit(consumer);
        } else if (claim.isTaken()) {
            misses.computeIfAbsent(consumer, name -> counter(name, "miss")).increment();
        }
    }

    void hit(String consumer) {
        hits.computeIfAbsent(consumer, name -> counter(name, "hit")).increment();
    }

    private Counter counter(String consumer, String result) {
        return Counter.builder("idempotency.checks")
                .description("Events that a consumer was given: hit = it had them before, miss = they were new")
                .tag("consumer", consumer)
                .tag("result", result)
                .register(registry);
    }
}
