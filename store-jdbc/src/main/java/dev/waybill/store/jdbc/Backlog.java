package dev.waybill.store.jdbc;

import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.util.List;

/** When a store reads many shards at once, by range of sequences, instead of one after the other. */
final class Backlog {
    // With fewer it is not worth it: a page of the table has about twenty rows.
    private static final int SHARDS = 8;
    private static final int ROWS = 250;

    private Backlog() {}

    /**
     * Whether there is much to read that can be read by range: for the same destinations in all shards, and decided. Shards
     * need not have come equally far: of those that are ahead the range holds what is on its way at most, and the others
     * catch up.
     */
    static boolean isWanted(List<ScanCursor> cursors) {
        long last = 0;
        long limits = 0;
        long decided = Long.MAX_VALUE;
        for (ScanCursor cursor : cursors) {
            if (cursor.limit() == 0 || !cursor.skipped().equals(cursors.get(0).skipped())) {
                return false;
            }
            last = Math.max(last, cursor.position());
            limits += cursor.limit();
            decided = Math.min(decided, cursor.decided());
        }
        return cursors.size() >= SHARDS && limits >= ROWS && decided > last + limits;
    }

    /** One row more than all shards together may have: a range with so many is not read to its end. */
    static int most(List<ScanCursor> cursors) {
        int limits = cursors.stream().mapToInt(ScanCursor::limit).sum();
        return limits + limits / 4 + 1;
    }

    /** Where a range ends that holds what is wanted, if no sequence is missing and all shards have equally much. */
    static long guess(List<ScanCursor> cursors) {
        long limits = cursors.stream().mapToLong(ScanCursor::limit).sum();
        long end = start(cursors) + limits * Shards.COUNT / cursors.size();
        return Math.min(end, cursors.get(0).decided());
    }

    /** What a payload may have so that all that is read together is within the bounds of each shard. */
    static long share(List<ScanCursor> cursors) {
        return cursors.stream()
                .mapToLong(cursor -> cursor.maxBytes() / cursor.limit())
                .min()
                .orElse(0);
    }

    /** Where a range of all shards begins. */
    static long start(List<ScanCursor> cursors) {
        return cursors.stream().mapToLong(ScanCursor::position).min().orElse(0);
    }
}
