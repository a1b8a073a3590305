package dev.waybill.inbox;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The relay that tries again what consumers put aside. */
public final class SidingRelay {
    // A person who replays a dead letter wants to see at once what becomes of it.
    private static final Duration POLL = Duration.ofMillis(250);
    // No more than handlers get done before the relay takes them for lost: waiting for a thread is no failure.
    private static final int WINDOW = 64;
    private static final Duration LONGEST_HANDLING = Duration.ofMinutes(2);

    private SidingRelay() {}

    /** Starts a relay like {@link #start(OutboxStore, Executor, MeterRegistry, InboxConsumer...)}, which counts nothing. */
    public static Relay start(OutboxStore siding, Executor executor, InboxConsumer<?>... consumers) {
        return start(siding, executor, new CompositeMeterRegistry(), consumers);
    }

    /**
     * Starts a relay for consumers that share a siding, one in each of their processes. Close it before the executor.
     *
     * @param siding   the store that the consumers' inboxes put events aside in
     * @param executor where handlers run: not on the relay's own thread, which a slow one would cost its leases
     */
    public static Relay start(
            OutboxStore siding, Executor executor, MeterRegistry registry, InboxConsumer<?>... consumers) {
        Relay.Builder builder = Relay.builder(siding)
                .config(RelayConfig.defaults()
                        .withPollInterval(POLL)
                        .withWindow(WINDOW)
                        .withDeliveryTimeout(longestHandling(consumers)))
                .metrics(registry);
        for (InboxConsumer<?> consumer : consumers) {
            builder.route(consumer.name(), consumer.siding(executor));
        }
        Relay relay = builder.build();
        for (InboxConsumer<?> consumer : consumers) {
            consumer.wakesUp(relay);
        }
        return relay.start();
    }

    /** Room for a lease that somebody left behind, and for the handling after it. */
    private static Duration longestHandling(InboxConsumer<?>... consumers) {
        Duration longest = LONGEST_HANDLING;
        for (InboxConsumer<?> consumer : consumers) {
            Duration needed = consumer.lease().multipliedBy(2).plus(LONGEST_HANDLING);
            longest = needed.compareTo(longest) > 0 ? needed : longest;
        }
        return longest;
    }
}
