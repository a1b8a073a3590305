package dev.waybill.relay;

import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.store.ParkedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes outcomes back in batches, and moves the entries of parked keys. Owned by the relay's thread; batches are written one at
 * a time by another one, so that the relay can read on meanwhile.
 *
 * <p>Outcomes wait a moment for others while more are on their way: a write costs the store about the same for one and for many.
 * What is unsettled is still in hand, so that a scan does not take it for new; whatever else is read needs it settled first.
 */
final class Settler {
    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    private record Settlement(Parcel parcel, Outcome outcome) {}

    private static final Comparator<Settlement> BY_SEQUENCE =
            Comparator.comparingLong(settlement -> settlement.parcel.sequence());

    private final UUID relay;
    private final OutboxStore store;
    private final Depot depot;
    private final int batchSize;
    private final long delay;
    private final LongSupplier clock;
    private final Counters counters;
    private final Mailbox mailbox;
    private final Executor writer;
    private final Arrivals arrivals;
    private List<Settlement> pending = new ArrayList<>();
    /** How many of the pending ones, the first, the last batch has left: none of them is overtaken again. */
    private int left;

    private @Nullable List<Settlement> writing;
    private long oldest;
    private long nextDueAt = Long.MAX_VALUE;

    Settler(
            UUID relay,
            OutboxStore store,
            Depot depot,
            RelayConfig config,
            LongSupplier clock,
            Counters counters,
            Mailbox mailbox,
            Executor writer,
            Arrivals arrivals) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.batchSize = config.batchSize();
        this.delay = config.settleDelay().toNanos();
        this.clock = clock;
        this.counters = counters;
        this.mailbox = mailbox;
        this.writer = writer;
        this.arrivals = arrivals;
    }

    void add(Parcel parcel, Outcome outcome) {
        if (pending.isEmpty()) {
            oldest = clock.getAsLong();
        }
        pending.add(new Settlement(parcel, outcome));
    }

    /** The store failed: forgets all outcomes, except what has arrived. What is being written may be written or not. */
    void discard() {
        pending.forEach(this::remember);
        if (writing != null) {
            writing.forEach(this::remember);
        }
        pending.clear();
        left = 0;
    }

    private void remember(Settlement settlement) {
        if (settlement.outcome instanceof Outcome.Delivered && !settlement.parcel.shard().dropped) {
            arrivals.remember(settlement.parcel);
        }
    }

    /** When the earliest of the retries written since the last call is due. */
    long takeNextDueAt() {
        long due = nextDueAt;
        nextDueAt = Long.MAX_VALUE;
        return due;
    }

    /** Whether the outcomes may wait for others; full batches do not. */
    boolean mayWait(long now) {
        return now < deadline();
    }

    /** Until when the outcomes may wait. */
    long deadline() {
        return pending.isEmpty() || pending.size() >= batchSize ? 0 : oldest + delay;
    }

    /** Begins to write a batch, unless one is being written. */
    int settle(long now) {
        if (writing != null || pending.isEmpty()) {
            return 0;
        }
        List<Settlement> batch = takeBatch(now);
        Map<Integer, Lease> leases = new HashMap<>();
        List<Outcome> outcomes = new ArrayList<>(batch.size());
        for (Settlement settlement : batch) {
            Shard shard = settlement.parcel.shard();
            if (!shard.dropped) {
                leases.put(shard.number(), shard.lease);
                outcomes.add(settlement.outcome);
            }
        }
        if (outcomes.isEmpty()) {
            return 0;
        }
        List<Lease> held = List.copyOf(leases.values());
        writing = batch;
        try {
            writer.execute(() -> write(held, outcomes));
        } catch (RuntimeException | Error e) {
            // Nobody writes it, so nobody would ever say that it is written.
            writing = null;
            throw e;
        }
        // It may have been written at once, by this thread.
        return outcomes.size() + collect(now);
    }

    /**
     * Of more than a batch, what the one before has left, and then the lowest: neighbours go together, because a database has twice
     * the work if it comes back to a page. The others may wait for company once more.
     */
    private List<Settlement> takeBatch(long now) {
        List<Settlement> batch = pending;
        pending = new ArrayList<>();
        if (batch.size() > batchSize) {
            batch.subList(Math.min(left, batch.size()), batch.size()).sort(BY_SEQUENCE);
            pending.addAll(batch.subList(batchSize, batch.size()));
            batch = batch.subList(0, batchSize);
            oldest = now;
        }
        left = pending.size();
        return batch;
    }

    /** On the writer's thread: touches nothing that the relay's thread owns. */
    private void write(List<Lease> leases, List<Outcome> outcomes) {
        long began = clock.getAsLong();
        try {
            Set<Integer> lost = store.settle(relay, leases, outcomes);
            counters.settles.record(clock.getAsLong() - began, TimeUnit.NANOSECONDS);
            mailbox.written(new Mailbox.Written(lost, null));
        } catch (RuntimeException | Error e) {
            mailbox.written(new Mailbox.Written(Set.of(), e));
        }
    }

    /** Takes in that a batch was written; throws what the store has thrown. */
    int collect(long now) {
        Mailbox.Written written = mailbox.pollWritten();
        List<Settlement> batch = writing;
        if (written == null || batch == null) {
            return 0;
        }
        writing = null;
        // What was forgotten meanwhile belongs to leases that are taken anew: none of its business any more.
        List<Settlement> known = new ArrayList<>(batch.size());
        for (Settlement settlement : batch) {
            if (!settlement.parcel.shard().dropped) {
                known.add(settlement);
            }
        }
        if (written.failure() != null && !known.isEmpty()) {
            pending.addAll(0, known);
            throw failure(written.failure());
        }
        for (Settlement settlement : known) {
            Shard shard = settlement.parcel.shard();
            if (!written.lost().contains(shard.number())) {
                close(settlement, now);
            } else if (!shard.dropped) {
                lose(shard.number());
            }
        }
        known.forEach(this::checkParked);
        return batch.size();
    }

    private static RuntimeException failure(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    /** Whether a batch is on its way to the store, which holds the leases of its shards meanwhile. */
    boolean isWriting() {
        return writing != null;
    }

    /** Whether nothing is left to write, and nothing is being written. */
    boolean isSettled() {
        return writing == null && pending.isEmpty();
    }

    /** An entry that was cancelled at the last moment could not die, and its key is not parked: it must go on. */
    private void checkParked(Settlement settlement) {
        Shard shard = settlement.parcel.shard();
        OrderKey key = settlement.parcel.line.key;
        if (key == null
                || shard.dropped
                || !shard.parked.containsKey(key)
                || !(settlement.outcome instanceof Outcome.Died)) {
            return;
        }
        boolean parked = store.readParked(Set.of(shard.number())).stream()
                .anyMatch(one -> one.key().equals(key));
        if (!parked) {
            shard.parked.remove(key);
            shard.toHold.remove(key);
            depot.refill(shard, key);
        }
    }

    private void close(Settlement settlement, long now) {
        DestinationMeters meters = settlement.parcel.destination().meters;
        depot.close(settlement.parcel);
        if (settlement.parcel.entry.event().availableAt() != null) {
            // It may be left where it is by a settle that meets an open cancel: not a late commit then.
            settlement.parcel.shard().passedOver.add(settlement.parcel.sequence());
        }
        if (settlement.outcome instanceof Outcome.Retried retried) {
            counters.retried++;
            meters.retried.increment();
            settlement.parcel.shard().passedOver.add(settlement.parcel.sequence());
            nextDueAt = Math.min(nextDueAt, now + Waits.nanos(retried.after()));
        } else if (settlement.outcome instanceof Outcome.Died) {
            counters.deadLetters++;
            meters.died.increment();
            settlement.parcel.line.land(settlement.parcel);
            depot.advance(settlement.parcel.line);
        } else {
            counters.delivered++;
            meters.delivered.increment();
            depot.settled(settlement.parcel);
        }
    }

    private void lose(int number) {
        Shard shard = depot.shard(number);
        if (shard != null) {
            log.warn("Shard {} was lost to another relay: its outcomes were not settled", number);
            counters.leaseLosses++;
            depot.drop(shard);
        }
    }

    /** One batch for each parked key with entries to move: out of the outbox, or back into it. */
    int moveParked() {
        int moved = 0;
        for (Shard shard : List.copyOf(depot.shards())) {
            if (hasNothingToMove(shard)) {
                continue;
            }
            for (OrderKey key : List.copyOf(shard.toHold.keySet())) {
                moved += shard.dropped || !mayBeHeld(shard, key) ? 0 : hold(shard, key);
            }
            for (OrderKey key : shard.releasing()) {
                moved += shard.dropped ? 0 : restore(shard, key);
            }
        }
        return moved;
    }

    /** Whether a parked key may have entries to move. */
    boolean wantsMoves() {
        for (Shard shard : depot.shards()) {
            if (hasNothingToMove(shard)) {
                continue;
            }
            boolean releases = shard.parked.containsValue(ParkedKey.State.RELEASING);
            if (releases || shard.toHold.keySet().stream().anyMatch(key -> !isClosed(shard, key))) {
                return true;
            }
        }
        return false;
    }

    /** In every step, of every shard: nearly always so. */
    private static boolean hasNothingToMove(Shard shard) {
        return shard.draining || (shard.parked.isEmpty() && shard.toHold.isEmpty());
    }

    /** What may have arrived must be settled where it is: moved, it would be sent again. */
    private boolean mayBeHeld(Shard shard, OrderKey key) {
        return !shard.isOnTheWay(key) && !isClosed(shard, key);
    }

    private boolean isClosed(Shard shard, OrderKey key) {
        return shard.isClosedTo(depot.destination(key.destination()));
    }

    private int hold(Shard shard, OrderKey key) {
        KeyCursor stretch = shard.stretch(key, shard.toHold.getOrDefault(key, 0L));
        OptionalInt moved = store.hold(relay, shard.lease, stretch, batchSize);
        if (moved.isEmpty()) {
            lose(shard.number());
            return 0;
        }
        if (moved.getAsInt() < batchSize) {
            shard.toHold.remove(key);
        }
        return moved.getAsInt();
    }

    private int restore(Shard shard, OrderKey key) {
        OptionalInt restored = store.restore(relay, shard.lease, key, batchSize);
        if (restored.isEmpty()) {
            lose(shard.number());
            return 0;
        }
        if (restored.getAsInt() < batchSize) {
            log.info("Key {} is released", key);
            shard.parked.remove(key);
            depot.refill(shard, key);
        }
        return restored.getAsInt() + 1;
    }

    int size() {
        return pending.size();
    }
}
