package dev.waybill.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;

/**
 * The meters of one destination, looked up once. Owned by the relay's thread, which publishes what it has counted when a step
 * ends: a registry takes as long for one as for many.
 */
final class DestinationMeters {

    /** How a delivery was answered. */
    enum Result {
        DELIVERED("delivered"),
        RETRY("retry"),
        REJECTED("rejected"),
        UNAVAILABLE("unavailable"),
        TIMEOUT("timeout");

        private final String tag;

        Result(String tag) {
            this.tag = tag;
        }
    }

    /** A counter, and what is not published yet. */
    static final class Tally {
        private final Counter counter;
        private double counted;

        private Tally(Counter counter) {
            this.counter = counter;
        }

        void increment() {
            counted++;
        }

        private void publish() {
            if (counted > 0) {
                counter.increment(counted);
                counted = 0;
            }
        }
    }

    final Tally claimed;
    final Tally attempts;
    final Tally delivered;
    final Tally retried;
    final Tally died;
    private final Map<Result, Timer> durations = new EnumMap<>(Result.class);

    DestinationMeters(MeterRegistry registry, String destination) {
        claimed = counter(registry, "outbox.entries.claimed", "Entries that a relay took in hand", destination);
        attempts = counter(registry, "outbox.delivery.attempts", "Deliveries that were tried", destination);
        delivered = counter(registry, "outbox.entries.delivered", "Entries settled as delivered", destination);
        retried = failed(registry, destination, "retry");
        died = failed(registry, destination, "dead");
        for (Result result : Result.values()) {
            durations.put(
                    result,
                    Timer.builder("outbox.publish.duration")
                            .description("From sending to the destination's answer")
                            .tag("destination", destination)
                            .tag("result", result.tag)
                            .register(registry));
        }
    }

    Timer duration(Result result) {
        Timer timer = durations.get(result);
        if (timer == null) {
            throw new IllegalStateException("no timer for " + result);
        }
        return timer;
    }

    void publish() {
        claimed.publish();
        attempts.publish();
        delivered.publish();
        retried.publish();
        died.publish();
    }

    private static Tally failed(MeterRegistry registry, String destination, String outcome) {
        return new Tally(Counter.builder("outbox.entries.failed")
                .description("Failed deliveries: to be tried again, or dead letters")
                .tag("destination", destination)
                .tag("outcome", outcome)
                .register(registry));
    }

    private static Tally counter(MeterRegistry registry, String name, String description, String destination) {
        return new Tally(Counter.builder(name)
                .description(description)
                .tag("destination", destination)
                .register(registry));
    }
}
