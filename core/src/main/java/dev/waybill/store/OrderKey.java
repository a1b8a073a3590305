package dev.waybill.store;

import dev.waybill.OneLine;
import org.jspecify.annotations.Nullable;

/** What order is kept for: a key within a destination. */
public record OrderKey(String destination, String key) {

    public int shard() {
        return Shards.of(destination, key);
    }

    // By hand: the relay looks keys up for every entry, and what a record brings along takes several times as long.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OrderKey that && key.equals(that.key) && destination.equals(that.destination);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + destination.hashCode();
    }

    /** In one line, for the log. */
    @Override
    public String toString() {
        return destination + "/" + OneLine.of(key);
    }
}
