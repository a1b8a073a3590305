package dev.waybill.relay;

import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Ownership;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Shards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the relay's share of the shards: renews, takes, and gives back. Owned by the relay's thread.
 *
 * <p>The share is the number of shards divided by the live relays, rounded up, so that every shard finds an owner. What
 * is beyond it is drained first and then given back, so that a hand-over sends nothing twice.
 */
final class ShardKeeper {
    private static final Logger log = LoggerFactory.getLogger(ShardKeeper.class);

    private final UUID relay;
    private final OutboxStore store;
    private final Depot depot;
    private final RelayConfig config;
    private final Counters counters;
    private final @Nullable ShardGroups groups;
    private final Arrivals arrivals;

    private long nextRenewal;
    private long sendUntil;
    private boolean retake;
    private boolean stopping;

    /**
     * Owns nothing at first.
     *
     * @param groups how shards are shared if they go in groups; {@code null}: each for itself
     */
    ShardKeeper(
            UUID relay,
            OutboxStore store,
            Depot depot,
            RelayConfig config,
            Counters counters,
            @Nullable ShardGroups groups,
            Arrivals arrivals) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.config = config;
        this.counters = counters;
        this.groups = groups;
        this.arrivals = arrivals;
    }

    /** Whether the leases surely hold long enough for another delivery. */
    boolean maySend(long now) {
        return now < sendUntil;
    }

    long nextDeadline() {
        return nextRenewal;
    }

    /** The store's state is uncertain: forget all shards, and take them anew before anything else. */
    void reset() {
        counters.leaseLosses += depot.shards().size();
        List.copyOf(depot.shards()).forEach(depot::drop);
        retake = true;
        nextRenewal = 0;
        sendUntil = 0;
    }

    void stop() {
        stopping = true;
        // At once: the others take what it gives back only when it no longer counts.
        nextRenewal = 0;
        depot.shards().forEach(depot::drain);
    }

    int keep(long now) {
        int work = giveBackDrained();
        if (now < nextRenewal) {
            return work;
        }
        if (retake) {
            List<Lease> kept = store.retake(relay, config.lease());
            arrivals.write(kept);
            open(kept);
            retake = false;
        }
        Ownership ownership = store.renew(relay, config.lease());
        if (stopping) {
            store.withdraw(relay);
        }
        reconcile(ownership);
        // Counted from before the request: the lease may have begun that early.
        sendUntil = now + config.sendingTime().toNanos();
        work += stopping ? 0 : balance(ownership.liveRelays());
        nextRenewal = now + untilRenewal();
        return work;
    }

    private long untilRenewal() {
        long renewal = config.renewInterval().toNanos();
        // One that leaves counts as live from its renewal to its withdrawal: the less often, the better.
        if (stopping || depot.shards().stream().filter(shard -> !shard.draining).count() == Shards.COUNT) {
            return renewal;
        }
        // While others own shards, or take what this one gives back, one of them may die or leave at any time: look at
        // every poll.
        return Math.min(renewal, config.pollInterval().toNanos());
    }

    private void reconcile(Ownership ownership) {
        Map<Integer, Lease> owned = new HashMap<>();
        ownership.leases().forEach(lease -> owned.put(lease.shard(), lease));
        List<Shard> lost = new ArrayList<>();
        for (Shard shard : depot.shards()) {
            Lease lease = owned.remove(shard.number());
            if (lease == null || lease.epoch() != shard.lease.epoch()) {
                lost.add(shard);
            }
        }
        if (!lost.isEmpty()) {
            log.warn("Lost the leases of {} shards to other relays", lost.size());
            counters.leaseLosses += lost.size();
            lost.forEach(depot::drop);
        }
        if (!owned.isEmpty()) {
            // Ours in the store, but unknown here: what was sent under that lease is uncertain.
            retake = true;
        }
    }

    private int balance(int liveRelays) {
        List<Shard> excess = groups == null ? excess(liveRelays) : groups.excess(liveRelays);
        if (!excess.isEmpty()) {
            log.info(
                    "Giving back {} of {} shards to other relays",
                    excess.size(),
                    depot.shards().size());
            excess.forEach(depot::drain);
            return excess.size();
        }
        List<Lease> taken = groups == null ? take(liveRelays) : groups.take(liveRelays);
        if (!taken.isEmpty()) {
            open(taken);
            log.info("Took {} shards, owns {} now", taken.size(), depot.shards().size());
        }
        return taken.size();
    }

    private static int share(int liveRelays) {
        return (Shards.COUNT + liveRelays - 1) / Math.max(1, liveRelays);
    }

    private List<Shard> excess(int liveRelays) {
        List<Shard> active =
                depot.shards().stream().filter(shard -> !shard.draining).toList();
        return active.subList(Math.min(active.size(), share(liveRelays)), active.size());
    }

    private List<Lease> take(int liveRelays) {
        int missing = share(liveRelays) - depot.shards().size();
        return missing <= 0 ? List.of() : store.take(relay, missing, config.lease());
    }

    private void open(List<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        Set<Integer> numbers = new TreeSet<>();
        leases.forEach(lease -> numbers.add(lease.shard()));
        List<ParkedKey> parked = store.readParked(numbers);
        for (Lease lease : leases) {
            Shard shard = depot.open(
                    lease,
                    parked.stream().filter(key -> key.shard() == lease.shard()).toList());
            if (stopping) {
                depot.drain(shard);
            }
        }
    }

    private int giveBackDrained() {
        List<Shard> drained = depot.shards().stream()
                .filter(shard -> shard.draining && shard.isSettled())
                .toList();
        if (!drained.isEmpty()) {
            store.giveBack(relay, drained.stream().map(shard -> shard.lease).toList());
            drained.forEach(depot::drop);
        }
        return drained.size();
    }
}
