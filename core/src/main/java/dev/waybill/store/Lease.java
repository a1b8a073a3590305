package dev.waybill.store;

/**
 * A relay's ownership of a shard.
 *
 * @param epoch  fencing number: every take makes a higher one, and a settle with an older one changes nothing
 * @param rewind counts how often entries were put back below what a relay may have read already
 */
public record Lease(int shard, long epoch, long rewind) {}
