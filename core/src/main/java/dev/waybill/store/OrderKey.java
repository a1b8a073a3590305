package dev.waybill.store;

/** What order is kept for: a key within a destination. */
public record OrderKey(String destination, String key) {

    public int shard() {
        return Shards.of(destination, key);
    }

    @Override
    public String toString() {
        return destination + "/" + key;
    }
}
