package dev.waybill.server.demo;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the view shows, at one moment. Immutable.
 *
 * @param consumer {@code null}: it has no inbox, or its database does not answer
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
        boolean destinationUp,
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
     * What the shop did and what the consumer saw so far.
     *
     * @param written    committed orders, each with one event
     * @param delivered  events that the consumer got, each counted once
     * @param ghosts     events of rolled-back transactions that the consumer got
     * @param outOfOrder events that overtook an earlier one of their key
     */
    record Counts(long written, long rolledBack, long delivered, long duplicates, long ghosts, long outOfOrder) {}

    /**
     * What has not arrived, according to the database.
     *
     * @param oldest the age of the entry that waits longest; zero if none does
     */
    record Backlog(long pending, Duration oldest) {}

    /**
     * A consumer with an inbox.
     *
     * @param handled  orders that took effect, most at once and some later
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

    /** A relay, or the place of one that was killed. */
    record RelayState(int number, boolean alive, int shards) {}

    /** Something that happened. */
    record Incident(Duration at, String what) {}

    Snapshot {
        deliveredHistory = List.copyOf(deliveredHistory);
        relays = List.copyOf(relays);
        chaos = List.copyOf(chaos);
        errors = List.copyOf(errors);
    }
}
