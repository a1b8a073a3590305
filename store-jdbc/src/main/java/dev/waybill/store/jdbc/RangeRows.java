package dev.waybill.store.jdbc;

import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a range of sequences holds of several shards, for databases that read it in order and with a limit: there the last row is
 * the end of the range. Immutable.
 *
 * @param entries by shard
 * @param end     the sequence up to which all of the shards were read
 */
record RangeRows(Map<Integer, List<Entry>> entries, long end) {
    // In a row that is an entry and nothing else.
    private static final int SEQUENCE = 1;
    private static final int SHARD = 2;
    private static final int PAYLOAD = 10;

    private static final int FACTOR = 4;

    /** How many rows a range is read for. */
    static int most(List<ScanCursor> cursors) {
        return cursors.stream().mapToInt(ScanCursor::limit).sum();
    }

    /** Whether a backlog can be read so: there is much of it, and nothing to be looked for below the positions. */
    static boolean isWanted(List<ScanCursor> cursors) {
        return Backlog.isWanted(cursors) && cursors.stream().noneMatch(cursor -> cursor.lowWater() < cursor.position());
    }

    /** Whether a range may hold rows that are none of these cursors': of other shards, or of destinations that they skip. */
    static boolean isSifted(List<ScanCursor> cursors) {
        return cursors.size() < Shards.COUNT || !cursors.get(0).skipped().isEmpty();
    }

    /** How many rows a range may have that is {@linkplain #isSifted sifted}, so that one with nothing for us is not read whole. */
    static int longest(List<ScanCursor> cursors) {
        return FACTOR * most(cursors);
    }

    /**
     * Reads the rows of a statement that shows entries of these shards, by sequence, at most as many as wanted, and no payload of
     * more than its {@linkplain Backlog#share share}. Null if there is such a payload: then somebody has to add up.
     *
     * @param cap where the statement ends if it does not find as many as wanted
     */
    static @Nullable RangeRows read(
            PreparedStatement statement, List<ScanCursor> cursors, long cap, EntryRows entryRows) throws SQLException {
        Map<Integer, ScanCursor> byShard = new HashMap<>();
        cursors.forEach(cursor -> byShard.put(cursor.shard(), cursor));
        Map<Integer, List<Entry>> entries = new HashMap<>();
        int rows = 0;
        long last = 0;
        try (ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows++;
                last = found.getLong(SEQUENCE);
                ScanCursor cursor = byShard.get(found.getInt(SHARD));
                if (cursor == null || last <= cursor.position()) {
                    continue;
                }
                if (found.getBytes(PAYLOAD) == null) {
                    return null;
                }
                List<Entry> ofShard = entries.computeIfAbsent(cursor.shard(), shard -> new ArrayList<>());
                entryRows.readValid(found, SEQUENCE).ifPresent(ofShard::add);
            }
        }
        return new RangeRows(entries, rows == most(cursors) ? last : cap);
    }

    ShardPage page(ScanCursor cursor, Lease lease, boolean owned) {
        return new ShardPage(
                lease,
                owned,
                entries.getOrDefault(cursor.shard(), List.of()),
                Math.max(cursor.position(), end),
                true,
                List.of());
    }
}
