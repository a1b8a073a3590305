package dev.waybill.store;

import java.util.List;

/**
 * What the scan of one shard found; the lease may be of a later moment than the entries.
 *
 * @param lease    the shard's lease state
 * @param owned    whether the scanning relay owns the shard
 * @param entries  entries beyond the position, by sequence, less those of skipped destinations
 * @param position the sequence up to which the scan has read now, skipped entries included; beyond its last entry only if
 *                 the cursor says that so much is decided
 * @param more     whether the scan stopped at its limit, or there may be more for another reason
 * @param below    sequences of the entries in (low-water mark, position before the scan]: in flight, passed over, or
 *                 late commits
 */
public record ShardPage(
        Lease lease, boolean owned, List<Entry> entries, long position, boolean more, List<Long> below) {
    public ShardPage {
        entries = List.copyOf(entries);
        below = List.copyOf(below);
    }
}
