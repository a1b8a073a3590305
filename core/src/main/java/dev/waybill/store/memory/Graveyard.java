package dev.waybill.store.memory;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.Parked;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.ParkedKey.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead letters, parked keys and what waits behind them; guarded by the store's lock. */
final class Graveyard {
    private final TreeMap<Long, DeadLetter> dead = new TreeMap<>();
    private final Map<OrderKey, Plot> parked = new HashMap<>();

    void bury(Row row, Instant now) {
        dead.put(row.sequence, new DeadLetter(row.read(now), DeadLetter.State.DEAD, now));
    }

    /** Parks a key behind its dead letter. A key that is parked already keeps its head: the new one parks nothing. */
    void park(OrderKey key, Row head) {
        parked.putIfAbsent(key, new Plot(key, head.shard, head.sequence));
    }

    @Nullable
    Plot plot(OrderKey key) {
        return parked.get(key);
    }

    void free(Plot plot) {
        parked.remove(plot.key);
    }

    /** The head becomes the first of those that wait. */
    void release(Plot plot) {
        plot.state = State.RELEASING;
        DeadLetter head = dead.remove(plot.deadSequence);
        if (head != null) {
            plot.waiting.put(plot.deadSequence, Row.revived(head.entry()));
        }
    }

    void skip(Plot plot) {
        plot.state = State.RELEASING;
        dead.computeIfPresent(
                plot.deadSequence,
                (sequence, head) -> new DeadLetter(head.entry(), DeadLetter.State.SKIPPED, head.diedAt()));
    }

    /** Removes a dead letter that parks nothing, to be tried again. */
    @Nullable
    Row exhume(long sequence) {
        DeadLetter letter = dead.get(sequence);
        if (letter == null || parks(letter)) {
            return null;
        }
        dead.remove(sequence);
        return Row.revived(letter.entry());
    }

    private boolean parks(DeadLetter letter) {
        Entry entry = letter.entry();
        Plot plot = entry.orderKey().map(parked::get).orElse(null);
        return plot != null && plot.state == State.PARKED && plot.deadSequence == entry.sequence();
    }

    List<DeadLetter> list(long afterSequence, int limit) {
        return dead.tailMap(afterSequence, false).values().stream().limit(limit).toList();
    }

    List<Parked> parked(int limit) {
        return parked.values().stream()
                .sorted(Comparator.comparingLong(plot -> plot.deadSequence))
                .limit(limit)
                .map(plot -> new Parked(plot.read(), plot.deadSequence, plot.waiting.size()))
                .toList();
    }

    List<ParkedKey> readParked(Set<Integer> shards) {
        if (parked.isEmpty()) {
            return List.of();
        }
        List<ParkedKey> found = new ArrayList<>();
        for (Plot plot : parked.values()) {
            if (shards.contains(plot.shard)) {
                found.add(plot.read());
            }
        }
        return found;
    }

    /** Waiting rows of an event. Looks at all that wait: cancelling behind a parked key is rare. */
    List<Row> findWaiting(UUID id) {
        List<Row> found = new ArrayList<>();
        for (Plot plot : parked.values()) {
            for (Row row : plot.waiting.values()) {
                if (row.event.id().equals(id)) {
                    found.add(row);
                }
            }
        }
        return found;
    }

    /** Removes a waiting row, which may be gone already. */
    void removeWaiting(Row row) {
        Plot plot = row.key == null ? null : parked.get(row.key);
        if (plot != null) {
            plot.waiting.remove(row.sequence);
        }
    }

    /** A parked or releasing key. */
    static final class Plot {
        final OrderKey key;
        final int shard;
        final TreeMap<Long, Row> waiting = new TreeMap<>();
        private final long deadSequence;
        private State state = State.PARKED;

        private Plot(OrderKey key, int shard, long deadSequence) {
            this.key = key;
            this.shard = shard;
            this.deadSequence = deadSequence;
        }

        boolean isParked() {
            return state == State.PARKED;
        }

        private ParkedKey read() {
            return new ParkedKey(key, shard, state);
        }
    }
}
