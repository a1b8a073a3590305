package dev.waybill.server.demo;

import dev.waybill.relay.RelayStatus;
import dev.waybill.server.demo.Snapshot.Backlog;
import dev.waybill.server.demo.Snapshot.ConsumerState;
import dev.waybill.server.demo.Snapshot.Counts;
import dev.waybill.server.demo.Snapshot.Phase;
import dev.waybill.testkit.check.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at everything twice a second. Used by one thread. */
final class Sampler {
    static final Duration INTERVAL = Duration.ofMillis(500);
    /** Slices of latency that count as recent: five seconds. */
    static final int RECENT = 10;

    private static final int RATE_WINDOW = 4;
    private static final int HISTORY = 42;

    private final Supplier<Duration> elapsed;
    private final Ledger ledger;
    private final Latencies latencies;
    private final Backlogs backlogs;
    private final Fleet fleet;
    private final DemoDestination destination;
    private final @Nullable FaultyConsumer consumer;
    private final Incidents chaos;
    private final Incidents errors;
    private final Rate written = new Rate(RATE_WINDOW);
    private final Rate delivered = new Rate(RATE_WINDOW);
    private final Rate deliveredNow = new Rate(1);
    private final Deque<Double> history = new ArrayDeque<>();
    private final Map<UUID, String> lastErrors = new HashMap<>();

    Sampler(
            Supplier<Duration> elapsed,
            Ledger ledger,
            Latencies latencies,
            Backlogs backlogs,
            Fleet fleet,
            DemoDestination destination,
            @Nullable FaultyConsumer consumer,
            Incidents chaos,
            Incidents errors) {
        this.elapsed = elapsed;
        this.ledger = ledger;
        this.latencies = latencies;
        this.backlogs = backlogs;
        this.fleet = fleet;
        this.destination = destination;
        this.consumer = consumer;
        this.chaos = chaos;
        this.errors = errors;
    }

    Snapshot next(Phase phase) {
        latencies.nextSlice();
        fleet.statuses().forEach(this::noteError);
        Verdict soFar = ledger.soFar();
        Duration now = elapsed.get();
        long nanos = now.toNanos();
        history.addLast(deliveredNow.perSecond(nanos, soFar.delivered()));
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
        return new Snapshot(
                now,
                phase,
                counts(soFar),
                written.perSecond(nanos, soFar.written()),
                delivered.perSecond(nanos, soFar.delivered()),
                List.copyOf(history),
                backlog(),
                latencies.recent(),
                latencies.overall(),
                fleet.states(),
                destination.isUp(),
                consumer(),
                chaos.last(),
                errors.last());
    }

    private static Counts counts(Verdict soFar) {
        return new Counts(
                soFar.written(),
                soFar.rolledBack(),
                soFar.delivered(),
                soFar.duplicates(),
                soFar.ghosts(),
                soFar.outOfOrder());
    }

    private @Nullable Backlog backlog() {
        try {
            return backlogs.now();
        } catch (RuntimeException e) {
            errors.addOnce("view: " + e.getMessage());
            return null;
        }
    }

    private @Nullable ConsumerState consumer() {
        try {
            return consumer == null ? null : consumer.state();
        } catch (RuntimeException e) {
            errors.addOnce("view: " + e.getMessage());
            return null;
        }
    }

    /** A relay repeats its last error until it has another. */
    private void noteError(RelayStatus status) {
        status.lastError()
                .filter(error -> !error.equals(lastErrors.put(status.relay(), error)))
                .ifPresent(errors::addOnce);
    }
}
