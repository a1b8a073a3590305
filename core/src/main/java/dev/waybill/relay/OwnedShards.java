package dev.waybill.relay;

import dev.waybill.store.Shards;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The shards that a relay owns, in their order, and by number for what is done with every entry. Owned by the relay's thread. */
final class OwnedShards {
    private final Map<Integer, Shard> inOrder = new TreeMap<>();
    private final @Nullable Shard[] byNumber = new Shard[Shards.COUNT];
    private long added;

    Collection<Shard> all() {
        return inOrder.values();
    }

    @Nullable
    Shard get(int number) {
        return byNumber[number];
    }

    void add(Shard shard) {
        inOrder.put(shard.number(), shard);
        byNumber[shard.number()] = shard;
        added++;
    }

    /** How many were ever added. */
    long added() {
        return added;
    }

    void remove(Shard shard) {
        inOrder.remove(shard.number());
        byNumber[shard.number()] = null;
    }
}
