package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.Backlog;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import dev.waybill.examples.shop.demo.Snapshot.Phase;
import dev.waybill.relay.RelayStatus;
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
    private final Latencies roundTrips;
    private final Backlogs backlogs;
    private final Fleet fleet;
    private final List<Service> services;
    private final Carrier carrier;
    private final @Nullable PaymentsDesk payments;
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
            Latencies roundTrips,
            Backlogs backlogs,
            Fleet fleet,
            List<Service> services,
            Carrier carrier,
            @Nullable PaymentsDesk payments,
            Incidents chaos,
            Incidents errors) {
        this.elapsed = elapsed;
        this.ledger = ledger;
        this.latencies = latencies;
        this.roundTrips = roundTrips;
        this.backlogs = backlogs;
        this.fleet = fleet;
        this.services = services;
        this.carrier = carrier;
        this.payments = payments;
        this.chaos = chaos;
        this.errors = errors;
    }

    Snapshot next(Phase phase) {
        latencies.nextSlice();
        roundTrips.nextSlice();
        noteErrors(fleet.statuses());
        Counts soFar = ledger.soFar(duplicates());
        Duration now = elapsed.get();
        long nanos = now.toNanos();
        history.addLast(deliveredNow.perSecond(nanos, soFar.delivered()));
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
        return new Snapshot(
                now,
                phase,
                soFar,
                written.perSecond(nanos, soFar.written()),
                delivered.perSecond(nanos, soFar.delivered()),
                List.copyOf(history),
                backlog(),
                latencies.recent(),
                latencies.overall(),
                fleet.states(),
                carrier.down().orElse(null),
                consumer(),
                chaos.last(),
                errors.last());
    }

    /** What inboxes had already. */
    long duplicates() {
        return services.stream()
                .flatMap(
                        service -> service.meters().find("inbox.events").tag("result", "duplicate").counters().stream())
                .mapToLong(counter -> (long) counter.count())
                .sum();
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
            return payments == null ? null : payments.state();
        } catch (RuntimeException e) {
            errors.addOnce("view: " + e.getMessage());
            return null;
        }
    }

    /** A relay repeats its last error until it has another. */
    private void noteErrors(List<RelayStatus> statuses) {
        lastErrors.keySet().retainAll(statuses.stream().map(RelayStatus::relay).toList());
        for (RelayStatus status : statuses) {
            status.lastError()
                    .filter(error -> !error.equals(lastErrors.put(status.relay(), error)))
                    .ifPresent(errors::addOnce);
        }
    }
}
