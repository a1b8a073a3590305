package dev.waybill.examples.shop.demo;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the view shows, at one moment. Immutable.
 *
 * @param down     the service that is down, or the broker
 * @param consumer {@code null}: nothing fails on purpose, or the database does not answer
 */
record Snapshot(
        Duration elapsed,
        Phase phase,
        Counts counts,
        double writtenPerSecond,
        double deliveredPerSecond,
        List<Double> deliveredHistory,
        @Nullable Backlog backlog,
        Percentiles recent,
        Percentiles overall,
        List<RelayState> relays,
        @Nullable String down,
        @Nullable ConsumerState consumer,
        List<Incident> chaos,
        List<Incident> errors) {

    /** What the demo is doing. */
    enum Phase {
        RUNNING,
        /** Writers have stopped; relays deliver what is left. */
        DRAINING,
        DONE
    }

    /**
     * What customers did and what the services saw so far.
     *
     * @param written    committed orders
     * @param delivered  orders that came to an end: paid, declined or sold out
     * @param duplicates deliveries of events that a consumer had already, and did not handle again
     * @param ghosts     effects of orders that were rolled back
     * @param outOfOrder effects that came after that of a later order of the same customer
     */
    record Counts(long written, long rolledBack, long delivered, long duplicates, long ghosts, long outOfOrder) {}

    /**
     * What has not arrived, according to the database.
     *
     * @param oldest the age of the entry that waits longest; zero if none does
     */
    record Backlog(long pending, Duration oldest) {}

    /**
     * The consumer of payments, which fails on purpose.
     *
     * @param handled  events that took effect, most at once and some later
     * @param putAside events that were put aside, because they failed or had to wait
     * @param deferred events that the open breaker held back
     * @param retries  tries after the first
     * @param aside    what waits for its next try or its turn
     * @param behind   what waits behind dead letters
     * @param dead     dead letters that did not work yet
     * @param resolved dead letters that were replayed and worked
     */
    record ConsumerState(
            long handled,
            long putAside,
            long deferred,
            long retries,
            long aside,
            long behind,
            long dead,
            long resolved,
            long outages,
            String breaker) {}

    /** A relay, named after its service, or the place of one that was killed. */
    record RelayState(String name, boolean alive, int shards) {}

    /** Something that happened. */
    record Incident(Duration at, String what) {}

    Snapshot {
        deliveredHistory = List.copyOf(deliveredHistory);
        relays = List.copyOf(relays);
        chaos = List.copyOf(chaos);
        errors = List.copyOf(errors);
    }
}
