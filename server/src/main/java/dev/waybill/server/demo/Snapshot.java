package dev.waybill.server.demo;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that the view shows, at one moment. Immutable. */
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
