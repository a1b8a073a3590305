package dev.waybill.store.memory;

import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.Shards;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** How a relay moves entries between the outbox, the graveyard and the history; guarded by the store's lock, which makes each move atomic. */
final class Changes {
    private final OutboxTable outbox;
    private final Graveyard graveyard;
    private final LeaseTable leases;
    private final History history;
    private final boolean keepsHistory;

    Changes(Tables tables) {
        outbox = tables.outbox;
        graveyard = tables.graveyard;
        leases = tables.leases;
        history = tables.history;
        keepsHistory = !tables.retention.isZero();
    }

    Set<Integer> settle(UUID relay, Collection<Lease> held, List<Outcome> outcomes, Instant now) {
        // A shard without a lease keeps epoch 0, which no owner ever has.
        long[] epochs = new long[Shards.COUNT];
        for (Lease lease : held) {
            epochs[lease.shard()] = lease.epoch();
        }
        Set<Integer> lost = new TreeSet<>();
        for (Outcome outcome : outcomes) {
            int shard = outcome.shard();
            if (leases.holds(relay, shard, epochs[shard])) {
                settle(outcome, now);
            } else {
                lost.add(shard);
            }
        }
        return lost;
    }

    private void settle(Outcome outcome, Instant now) {
        Row row = outbox.find(outcome.shard(), outcome.sequence());
        if (row == null) {
            return;
        }
        outbox.remove(row);
        if (outcome instanceof Outcome.Retried retried) {
            row.failed(retried.error());
            row.dueIn(retried.after(), now);
            outbox.add(row);
        } else if (outcome instanceof Outcome.Died died) {
            row.failed(died.error());
            graveyard.bury(row, died.policy(), now);
        } else if (keepsHistory) {
            history.add(row, now);
        }
    }

    OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        if (!leases.holds(relay, lease.shard(), lease.epoch())) {
            return OptionalInt.empty();
        }
        Plot plot = graveyard.plot(stretch.key());
        if (plot == null || !plot.isParked()) {
            return OptionalInt.of(0);
        }
        List<Row> rows = outbox.firstOf(stretch, limit);
        for (Row row : rows) {
            outbox.remove(row);
            plot.waiting.put(row.sequence, row);
        }
        return OptionalInt.of(rows.size());
    }

    OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit, Instant now) {
        if (!leases.holds(relay, lease.shard(), lease.epoch())) {
            return OptionalInt.empty();
        }
        Plot plot = graveyard.plot(key);
        if (plot == null) {
            return OptionalInt.of(0);
        }
        if (plot.isParked()) {
            return OptionalInt.empty();
        }
        for (int restored = 0; restored < limit; restored++) {
            Map.Entry<Long, Row> first = plot.waiting.pollFirstEntry();
            if (first == null) {
                graveyard.free(plot);
                return OptionalInt.of(restored);
            }
            first.getValue().dueAtOnce(now);
            outbox.add(first.getValue());
        }
        return OptionalInt.of(limit);
    }
}
