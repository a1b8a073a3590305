package dev.waybill.store;

import java.util.Set;

/**
 * Where the scan of one shard goes on.
 *
 * @param lowWater everything up to here has been seen, late commits included
 * @param position everything visible up to here has been seen; late commits between the two are still possible
 * @param limit    read at most so many entries beyond the position, all shards of a scan together at most a quarter more; 0:
 *                 none, only look below it, and say that there may be more
 * @param maxBytes stop once their payloads exceed this; the first entry is read whatever its size
 * @param skipped  pass over entries for these destinations: others read them
 * @param decided  no transaction can bring up a sequence up to here any more: the page may end beyond its last entry, but
 *                 not beyond this
 */
public record ScanCursor(
        int shard, long lowWater, long position, int limit, long maxBytes, Set<String> skipped, long decided) {
    public ScanCursor {
        skipped = Set.copyOf(skipped);
        if (limit < 0 || lowWater > position) {
            throw new IllegalArgumentException("limit " + limit + ", low water " + lowWater + ", position " + position);
        }
    }

    /** A cursor of somebody who does not know what is decided. */
    public ScanCursor(int shard, long lowWater, long position, int limit, long maxBytes, Set<String> skipped) {
        this(shard, lowWater, position, limit, maxBytes, skipped, 0);
    }

    /** A cursor that goes on from there, where everything before was seen. */
    public ScanCursor at(long seen) {
        return new ScanCursor(shard, seen, seen, limit, maxBytes, skipped, decided);
    }

    /** The same cursor of somebody who knows that more is decided. */
    public ScanCursor with(long nowDecided) {
        return new ScanCursor(shard, lowWater, position, limit, maxBytes, skipped, nowDecided);
    }
}
