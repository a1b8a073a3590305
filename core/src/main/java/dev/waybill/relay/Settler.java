package dev.waybill.relay;

import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes outcomes back in batches, and moves the entries of parked keys. Owned by the relay's thread.
 *
 * <p>All outcomes are settled before anything is fetched again: an entry that failed must be seen as failed.
 */
final class Settler {
    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    private record Settlement(Parcel parcel, Outcome outcome) {}

    private final UUID relay;
    private final OutboxStore store;
    private final Depot depot;
    private final int batchSize;
    private final LongSupplier clock;
    private final Counters counters;
    private List<Settlement> pending = new ArrayList<>();
    private long nextDueAt = Long.MAX_VALUE;

    Settler(UUID relay, OutboxStore store, Depot depot, RelayConfig config, LongSupplier clock, Counters counters) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.batchSize = config.batchSize();
        this.clock = clock;
        this.counters = counters;
    }

    void add(Parcel parcel, Outcome outcome) {
        pending.add(new Settlement(parcel, outcome));
    }

    void discard() {
        pending.clear();
    }

    /** When the earliest of the retries written since the last call is due. */
    long takeNextDueAt() {
        long due = nextDueAt;
        nextDueAt = Long.MAX_VALUE;
        return due;
    }

    int settleAll(long now) {
        int settled = 0;
        List<Settlement> all = pending;
        pending = new ArrayList<>();
        for (int from = 0; from < all.size(); from += batchSize) {
            settled += settle(all.subList(from, Math.min(all.size(), from + batchSize)), now);
        }
        return settled;
    }

    private int settle(List<Settlement> batch, long now) {
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
        long began = clock.getAsLong();
        Set<Integer> lost = store.settle(relay, leases.values(), outcomes);
        counters.settles.record(clock.getAsLong() - began, TimeUnit.NANOSECONDS);
        for (Settlement settlement : batch) {
            Shard shard = settlement.parcel.shard();
            if (!shard.dropped && !lost.contains(shard.number())) {
                close(settlement, now);
            }
        }
        lost.forEach(this::lose);
        batch.forEach(this::checkParked);
        return outcomes.size();
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
            settlement.parcel.line.onTheWay = null;
            depot.advance(settlement.parcel.line);
        } else {
            counters.delivered++;
            meters.delivered.increment();
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
            if (shard.draining) {
                continue;
            }
            for (OrderKey key : List.copyOf(shard.toHold)) {
                // A paused key may have an entry on its way: moved, it would be sent again after its delivery.
                moved += shard.dropped || shard.isOnTheWay(key) ? 0 : hold(shard, key);
            }
            for (OrderKey key : shard.releasing()) {
                moved += shard.dropped ? 0 : restore(shard, key);
            }
        }
        return moved;
    }

    private int hold(Shard shard, OrderKey key) {
        OptionalInt moved = store.hold(relay, shard.lease, key, batchSize);
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
