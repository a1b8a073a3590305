package dev.waybill.relay;

import dev.waybill.store.Lease;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Takes and gives back whole groups of shards, for transports that keep a ledger of each group. Owned by the relay's thread.
 *
 * <p>Who owns the lead of a group may have the rest of it, and nobody else: so two relays never hold a part each for long. A relay
 * that knows nothing of groups may own some of them meanwhile; the group does without.
 */
final class ShardGroups {
    private final UUID relay;
    private final LeaseStore store;
    private final Depot depot;
    private final RelayConfig config;

    ShardGroups(UUID relay, LeaseStore store, Depot depot, RelayConfig config) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.config = config;
    }

    /** The groups of which this relay has its share: as many relays as there are groups can have one. */
    private static int share(int liveRelays) {
        return (Shards.GROUPS + liveRelays - 1) / Math.max(1, liveRelays);
    }

    /** What is beyond the share, and what has no lead here. */
    List<Shard> excess(int liveRelays) {
        int share = share(liveRelays);
        int groups = 0;
        List<Shard> excess = new ArrayList<>();
        for (int group = 0; group < Shards.GROUPS; group++) {
            boolean keeps = isLed(group) && ++groups <= share;
            shardsOf(group)
                    .mapToObj(depot::shard)
                    .filter(shard -> shard != null && !shard.draining && !keeps)
                    .forEach(excess::add);
        }
        return excess;
    }

    /** Takes the leads that are missing for the share, then the rest of all groups that are led from here. */
    List<Lease> take(int liveRelays) {
        long leads = 0;
        int known = 0;
        for (int group = 0; group < Shards.GROUPS; group++) {
            int lead = Shards.leadOf(group);
            if (depot.shard(lead) == null) {
                leads |= 1L << lead;
            } else {
                known++;
            }
        }
        int missing = Math.min(Long.bitCount(leads), share(liveRelays) - known);
        List<Lease> taken = new ArrayList<>(takeAmong(leads, missing));
        long rest = 0;
        for (int group = 0; group < Shards.GROUPS; group++) {
            int lead = Shards.leadOf(group);
            if (isLed(group) || taken.stream().anyMatch(lease -> lease.shard() == lead)) {
                rest |= shardsOf(group)
                        .filter(shard -> shard != lead && depot.shard(shard) == null)
                        .mapToLong(shard -> 1L << shard)
                        .sum();
            }
        }
        taken.addAll(takeAmong(rest, Long.bitCount(rest)));
        return taken;
    }

    private List<Lease> takeAmong(long shards, int atMost) {
        return atMost <= 0 ? List.of() : store.take(relay, new ShardSet(shards), atMost, config.lease());
    }

    private boolean isLed(int group) {
        Shard lead = depot.shard(Shards.leadOf(group));
        return lead != null && !lead.draining;
    }

    static IntStream shardsOf(int group) {
        return IntStream.range(Shards.leadOf(group), Shards.leadOf(group + 1));
    }
}
