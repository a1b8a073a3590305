package dev.waybill.store.memory;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.operations.Statistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One count of all that a store holds; used under the store's lock, and once. */
final class Census {
    private static final Duration LATELY = Duration.ofMinutes(1);

    private final Instant now;
    private final Map<String, Figures> destinations = new TreeMap<>();

    Census(Instant now) {
        this.now = now;
    }

    Statistics of(Tables tables) {
        Duration lately = tables.retention.compareTo(LATELY) < 0 ? tables.retention : LATELY;
        tables.outbox.rows().forEach(this::countPending);
        tables.graveyard.deadLetters().stream()
                .filter(letter -> letter.state() == DeadLetter.State.PENDING)
                .forEach(letter -> figures(letter.entry().destination()).dead++);
        for (Plot plot : tables.graveyard.plots()) {
            Figures figures = figures(plot.key.destination());
            figures.parkedKeys++;
            figures.waiting += plot.waiting.size();
        }
        tables.history.since(now.minus(lately)).forEach(entry -> figures(entry.destination()).delivered++);
        tables.pausedDestinations.keySet().forEach(destination -> figures(destination).paused = true);
        return new Statistics(
                destinations.entrySet().stream()
                        .map(one -> one.getValue().read(one.getKey()))
                        .toList(),
                lately,
                tables.leases.liveRelays(now),
                tables.leases.ownedShards(now));
    }

    private void countPending(Row row) {
        Figures figures = figures(row.event.destination());
        figures.pending++;
        figures.delayed += row.isDelayed(now) ? 1 : 0;
        figures.failing += row.hasFailed() ? 1 : 0;
        row.waited(now)
                .filter(age -> figures.oldestAge == null || age.compareTo(figures.oldestAge) > 0)
                .ifPresent(age -> figures.oldestAge = age);
    }

    private Figures figures(String destination) {
        return destinations.computeIfAbsent(destination, name -> new Figures());
    }

    private static final class Figures {
        private long pending;
        private long delayed;
        private long failing;
        private @Nullable Duration oldestAge;
        private long delivered;
        private long dead;
        private long waiting;
        private long parkedKeys;
        private boolean paused;

        Statistics.OfDestination read(String name) {
            return new Statistics.OfDestination(
                    name,
                    pending,
                    delayed,
                    failing,
                    Optional.ofNullable(oldestAge),
                    delivered,
                    dead,
                    waiting,
                    parkedKeys,
                    paused);
        }
    }
}
