package dev.waybill.store.memory;

import dev.waybill.store.Lease;
import dev.waybill.store.Ownership;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who owns which shard, and who is alive; guarded by the store's lock. */
final class LeaseTable {
    private final Slot[] slots = new Slot[Shards.COUNT];
    private final Map<UUID, Instant> announced = new HashMap<>();

    LeaseTable() {
        for (int shard = 0; shard < slots.length; shard++) {
            slots[shard] = new Slot(shard);
        }
    }

    Lease lease(int shard) {
        return slots[shard].lease;
    }

    boolean isOwner(UUID relay, int shard) {
        return relay.equals(slots[shard].owner);
    }

    /** Whether the lease is still the relay's: one that has expired and that nobody took is. */
    boolean holds(UUID relay, int shard, long epoch) {
        return isOwner(relay, shard) && slots[shard].lease.epoch() == epoch;
    }

    /** Who holds a shard's lease; nobody once it has expired. */
    @Nullable
    UUID owner(int shard, Instant now) {
        return slots[shard].expires.isAfter(now) ? slots[shard].owner : null;
    }

    Map<Integer, UUID> owners(Instant now) {
        Map<Integer, UUID> owners = new TreeMap<>();
        for (int shard = 0; shard < slots.length; shard++) {
            UUID owner = owner(shard, now);
            if (owner != null) {
                owners.put(shard, owner);
            }
        }
        return owners;
    }

    int ownedShards(Instant now) {
        return owners(now).size();
    }

    int liveRelays(Instant now) {
        return (int)
                announced.values().stream().filter(until -> until.isAfter(now)).count();
    }

    void rewind(int shard) {
        Lease lease = slots[shard].lease;
        slots[shard].lease = new Lease(shard, lease.epoch(), lease.rewind() + 1);
    }

    Ownership renew(UUID relay, Instant now, Instant expires) {
        announced.values().removeIf(until -> !until.isAfter(now));
        announced.put(relay, expires);
        List<Lease> owned = new ArrayList<>();
        for (Slot slot : slots) {
            if (relay.equals(slot.owner)) {
                slot.expires = expires;
                owned.add(slot.lease);
            }
        }
        return new Ownership(announced.size(), owned);
    }

    List<Lease> take(UUID relay, ShardSet among, int atMost, Instant now, Instant expires) {
        List<Lease> taken = new ArrayList<>();
        for (Slot slot : slots) {
            if (taken.size() >= atMost) {
                break;
            }
            boolean free = slot.owner == null || !slot.expires.isAfter(now);
            if (free && among.contains(slot.lease.shard())) {
                taken.add(slot.take(relay, expires));
            }
        }
        return taken;
    }

    List<Lease> retake(UUID relay, Instant expires) {
        List<Lease> taken = new ArrayList<>();
        for (Slot slot : slots) {
            if (relay.equals(slot.owner)) {
                taken.add(slot.take(relay, expires));
            }
        }
        return taken;
    }

    void giveBack(UUID relay, Collection<Lease> leases) {
        for (Lease lease : leases) {
            if (holds(relay, lease.shard(), lease.epoch())) {
                slots[lease.shard()].owner = null;
            }
        }
    }

    void withdraw(UUID relay) {
        announced.remove(relay);
    }

    void leave(UUID relay) {
        withdraw(relay);
        for (Slot slot : slots) {
            if (relay.equals(slot.owner)) {
                slot.owner = null;
            }
        }
    }

    private static final class Slot {
        private @Nullable UUID owner;
        private Instant expires = Instant.MIN;
        private Lease lease;

        Slot(int shard) {
            lease = new Lease(shard, 0, 0);
        }

        Lease take(UUID relay, Instant until) {
            owner = relay;
            expires = until;
            lease = new Lease(lease.shard(), lease.epoch() + 1, lease.rewind());
            return lease;
        }
    }
}
