package dev.waybill.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * How a relay reads entries. All methods are thread-safe, see only committed entries, and change nothing.
 *
 * <p>Cost must not grow with the table: every method reads through an index and at most a small multiple of the limits
 * that it is given (and, for {@link ShardPage#below} and {@link KeyCursor}, what the shard has left between the two marks).
 */
public interface EntryReader {

    /** Reads several shards: all entries in one snapshot, and their leases in that one or a later one. */
    Scan scan(UUID relay, List<ScanCursor> cursors);

    /** The same for a caller who looks often and does not ask who is writing each time: that may be left out. */
    default Scan peek(UUID relay, List<ScanCursor> cursors) {
        return scan(relay, cursors);
    }

    /** Reads destinations that are behind their shard's scan: per lane, by sequence. */
    List<LanePage> readLanes(List<LaneCursor> lanes);

    /** The first entries of each stretch, by sequence, whether due or not; at most {@code limit} for each. */
    List<Entry> readKeys(Collection<KeyCursor> keys, int limit);

    /** Those of the entries that still exist, by sequence. */
    List<Entry> readEntries(int shard, Collection<Long> sequences);

    /**
     * Entries with a due time after the cursor and not after the store's clock.
     *
     * @param shards only entries of these
     */
    DuePage readDue(Set<Integer> shards, DueCursor after, int limit);

    /** The parked and releasing keys of some shards. */
    List<ParkedKey> readParked(Set<Integer> shards);
}
