package dev.waybill.server.demo;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Measures from the moment a commit returned to the first call of the consumer. Thread-safe. */
final class DeliveryTimes {
    private static final long WRITING = 0;
    private static final long CALLED = -1;

    private final Latencies latencies;
    private final long start = System.nanoTime();
    // What the event waits for: WRITING and CALLED for its commit, a positive time of commit for the consumer.
    private final Map<UUID, Long> waiting = new ConcurrentHashMap<>();

    DeliveryTimes(Latencies latencies) {
        this.latencies = latencies;
    }

    void writing(UUID id) {
        waiting.put(id, WRITING);
    }

    /** The consumer may have been called already: the relay can be quicker than the return from the commit. */
    void committed(UUID id) {
        long now = now();
        waiting.computeIfPresent(id, (key, state) -> {
            if (state == CALLED) {
                latencies.record(Duration.ZERO);
                return null;
            }
            return now;
        });
    }

    /** Rolled back, or of unknown outcome: nothing to measure. */
    void forget(UUID id) {
        waiting.remove(id);
    }

    /** Further calls for the same event are not measured. */
    void called(UUID id) {
        long now = now();
        waiting.computeIfPresent(id, (key, state) -> {
            if (state <= 0) {
                return CALLED;
            }
            latencies.record(Duration.ofNanos(now - state));
            return null;
        });
    }

    private long now() {
        return System.nanoTime() - start + 1;
    }
}
