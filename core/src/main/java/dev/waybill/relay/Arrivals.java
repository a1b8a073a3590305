package dev.waybill.relay;

import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what is known to have arrived without sending it again. Owned by the relay's thread.
 *
 * <p>It also remembers what has arrived and could not be written down because the store failed. A store that can be read but not
 * written, on a full disk say, would otherwise get to see the same entries sent again and again: they are written down before
 * anything else of their shard is sent. That holds as long as the shard stayed with this relay: whoever else had it
 * may have done anything with them.
 */
final class Arrivals {
    static final int LOST = -1;

    private static final Logger log = LoggerFactory.getLogger(Arrivals.class);

    private final UUID relay;
    private final OutboxStore store;
    private final Depot depot;
    private final RelayConfig config;
    private final Counters counters;
    /** By shard and sequence: the events that arrived. */
    private final Map<Integer, Map<Long, UUID>> unwritten = new HashMap<>();

    Arrivals(UUID relay, OutboxStore store, Depot depot, RelayConfig config, Counters counters) {
        this.relay = relay;
        this.store = store;
        this.depot = depot;
        this.config = config;
        this.counters = counters;
    }

    /** It has arrived, and nobody knows whether that was written down. */
    void remember(Parcel parcel) {
        unwritten
                .computeIfAbsent(parcel.shard().number(), shard -> new HashMap<>())
                .put(parcel.sequence(), parcel.entry.event().id());
    }

    /** How many are remembered. */
    int size() {
        return unwritten.values().stream().mapToInt(Map::size).sum();
    }

    /** Writes down what was remembered of shards that stayed with this relay, and forgets the rest. */
    void write(Collection<Lease> kept) {
        if (unwritten.isEmpty()) {
            return;
        }
        int remembered = size();
        int written = 0;
        for (Lease lease : kept) {
            Map<Long, UUID> arrived = unwritten.get(lease.shard());
            if (arrived != null) {
                written += Math.max(0, settle(lease, arrived));
                unwritten.remove(lease.shard());
            }
        }
        unwritten.clear();
        log.info("Wrote down {} of {} deliveries that had arrived when the store failed", written, remembered);
    }

    /**
     * Settles those of the entries that are still the same events.
     *
     * @param arrived events by sequence
     * @return how many there were, or {@link #LOST}: the lease is
     */
    int settle(Lease lease, Map<Long, UUID> arrived) {
        List<Long> sequences = List.copyOf(arrived.keySet());
        int settled = 0;
        for (int from = 0; from < sequences.size(); from += config.batchSize()) {
            List<Long> some = sequences.subList(from, Math.min(sequences.size(), from + config.batchSize()));
            List<Outcome> outcomes = new ArrayList<>();
            List<DestinationMeters> meters = new ArrayList<>();
            for (Entry entry : store.readEntries(lease.shard(), some)) {
                if (entry.event().id().equals(arrived.get(entry.sequence()))) {
                    outcomes.add(new Outcome.Delivered(lease.shard(), entry.sequence()));
                    meters.add(depot.destination(entry.destination()).meters);
                }
            }
            if (!outcomes.isEmpty()
                    && !store.settle(relay, List.of(lease), outcomes).isEmpty()) {
                return LOST;
            }
            meters.forEach(meter -> meter.delivered.increment());
            settled += outcomes.size();
        }
        counters.delivered += settled;
        return settled;
    }
}
