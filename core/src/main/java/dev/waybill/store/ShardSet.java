package dev.waybill.store;

import dev.waybill.event.Event;
import java.util.Collection;

/**
 * Some of the 64 shards. Immutable and thread-safe.
 *
 * @param bits bit {@code n} is set for shard {@code n}
 */
public record ShardSet(long bits) {
    public static final ShardSet ALL = new ShardSet(-1L);
    public static final ShardSet NONE = new ShardSet(0);

    /** The shards that hold some events. */
    public static ShardSet of(Collection<Event> events) {
        long bits = 0;
        for (Event event : events) {
            bits |= 1L << Shards.of(event);
        }
        return new ShardSet(bits);
    }

    public boolean contains(int shard) {
        return (bits >>> shard & 1) != 0;
    }

    public boolean isEmpty() {
        return bits == 0;
    }

    public ShardSet union(ShardSet other) {
        return new ShardSet(bits | other.bits);
    }

    @Override
    public String toString() {
        return this.equals(ALL) ? "all shards" : "shards " + Long.toBinaryString(bits);
    }
}
