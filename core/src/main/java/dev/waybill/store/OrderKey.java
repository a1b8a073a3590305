package dev.waybill.store;

import dev.waybill.OneLine;

/** What order is kept for: a key within a destination. */
public record OrderKey(String destination, String key) {

    public int shard() {
        return Shards.of(destination, key);
    }

    /** In one line, for the log. */
    @Override
    public String toString() {
        return destination + "/" + OneLine.of(key);
    }
}
