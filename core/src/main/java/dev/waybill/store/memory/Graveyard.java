package dev.waybill.store.memory;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters, parked keys and what waits behind them; guarded by the store's lock. How often one was replayed is in the
 * {@link RedrivenTable}.
 */
final class Graveyard {
    private final TreeMap<Long, DeadLetter> dead = new TreeMap<>();
    private final Deque<Discarded> discarded = new ArrayDeque<>();
    private final Map<OrderKey, Plot> parked = new HashMap<>();

    private record Discarded(long sequence, Instant at) {}

    /** Makes a dead letter of a row, and parks its key behind it if the policy says so. */
    void bury(Row row, DeadLetterPolicy policy, Instant now) {
        boolean parks = policy == DeadLetterPolicy.PARK && row.key != null && park(row.key, row, now);
        dead.put(row.sequence, new DeadLetter(row.atRest(), DeadLetter.State.PENDING, now, parks, 0));
    }

    /**
     * Parks a key behind its dead letter. A key that is parked behind one keeps it: the new one parks nothing. One that is
     * paused, or was just resumed while its head was on its way, is parked behind the new one.
     */
    private boolean park(OrderKey key, Row head, Instant now) {
        Plot plot = parked.computeIfAbsent(key, unknown -> new Plot(unknown, head.shard, now));
        return plot.parkBehind(head.sequence);
    }

    /** Parks a key without a dead letter; {@code false} if it is parked, paused or releasing. */
    boolean pause(OrderKey key, Instant now, Signature signature) {
        if (parked.containsKey(key)) {
            return false;
        }
        Plot plot = new Plot(key, key.shard(), now);
        plot.pause(signature);
        parked.put(key, plot);
        return true;
    }

    @Nullable
    Plot plot(OrderKey key) {
        return parked.get(key);
    }

    Collection<Plot> plots() {
        return parked.values();
    }

    void free(Plot plot) {
        parked.remove(plot.key);
    }

    @Nullable
    DeadLetter find(long sequence) {
        return dead.get(sequence);
    }

    /** The dead letter that a key is parked behind. */
    @Nullable
    DeadLetter headOf(OrderKey key) {
        Plot plot = parked.get(key);
        return plot != null && plot.isBehindDeadLetter() ? dead.get(plot.deadSequence()) : null;
    }

    /** The head of a parked key becomes the first of those that wait. */
    void release(DeadLetter head, Instant now) {
        dead.remove(head.entry().sequence());
        Plot plot = plotOf(head);
        plot.release();
        plot.waiting.put(head.entry().sequence(), Row.revived(head.entry(), now));
    }

    /** Removes a dead letter that parks nothing, to be tried again. */
    Row exhume(DeadLetter letter, Instant now) {
        dead.remove(letter.entry().sequence());
        return Row.revived(letter.entry(), now);
    }

    /** Decides about a dead letter that stays; what waits behind it goes on without it. */
    void giveUp(DeadLetter letter, DeadLetter.State state, Instant now) {
        if (letter.parksKey()) {
            plotOf(letter).release();
        }
        long sequence = letter.entry().sequence();
        dead.put(sequence, new DeadLetter(letter.entry(), state, letter.diedAt(), false, 0));
        if (state == DeadLetter.State.DISCARDED) {
            discarded.add(new Discarded(sequence, now));
        }
    }

    void replaceEvent(DeadLetter letter, Event event) {
        Entry old = letter.entry();
        Entry corrected = new Entry(
                old.sequence(), old.shard(), event, old.attempts(), old.lastError(), old.replay(), old.dueIn());
        dead.put(old.sequence(), new DeadLetter(corrected, letter.state(), letter.diedAt(), letter.parksKey(), 0));
    }

    /** Whether it waits behind another one, or for its release. */
    boolean isWaiting(Entry entry) {
        Plot plot = entry.orderKey().map(parked::get).orElse(null);
        return plot != null && plot.waiting.containsKey(entry.sequence());
    }

    private Plot plotOf(DeadLetter head) {
        Plot plot = head.entry().orderKey().map(parked::get).orElse(null);
        if (plot == null) {
            throw new IllegalStateException(head + " parks a key that is not parked");
        }
        return plot;
    }

    Collection<DeadLetter> deadLetters() {
        return dead.values();
    }

    Stream<DeadLetter> find(DeadLetterFilter filter, long afterSequence) {
        return dead.tailMap(afterSequence, false).values().stream().filter(filter::matches);
    }

    /** Removes up to so many dead letters that were discarded before a time. */
    int removeDiscarded(Instant before, int limit, LongConsumer alsoForget) {
        int removed = 0;
        while (removed < limit
                && !discarded.isEmpty()
                && discarded.element().at().isBefore(before)) {
            long sequence = discarded.remove().sequence();
            dead.remove(sequence);
            alsoForget.accept(sequence);
            removed++;
        }
        return removed;
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
}
