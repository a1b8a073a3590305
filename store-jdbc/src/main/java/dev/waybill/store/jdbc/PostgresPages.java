package dev.waybill.store.jdbc;

import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pages of a scan on PostgreSQL, as their rows come in. For one thread and one scan. */
final class PostgresPages {
    // What a row of the result is: its first column.
    private static final int LEASE = 0;
    private static final int WRITERS = 1;
    private static final int TAKEN = 2;
    private static final int PASSED = 3;
    private static final int STOP = 4;
    private static final int PAUSED = 5;

    // Where an entry's columns begin in a row that has more than that.
    private static final int ENTRY = 7;
    // In a row that is an entry and nothing else.
    private static final int PAYLOAD = 10;

    private static final int SPARSE = 4;

    private final List<ScanCursor> cursors;
    private final boolean together;
    private final Map<Integer, PageBuilder> pages = new HashMap<>();
    private Set<String> writers = Set.of();
    private Set<String> paused = Set.of();
    private long drawn;
    /** Where the range of all shards ends; 0: they have none. */
    private long last;

    private int rows;

    /** Reads by shard, or all shards together, which is by range and has no order. */
    PostgresPages(EntryRows entryRows, List<ScanCursor> cursors, boolean together) {
        this.cursors = cursors;
        this.together = together;
        cursors.forEach(cursor -> pages.put(cursor.shard(), new PageBuilder(entryRows, cursor)));
    }

    void read(ResultSet found) throws SQLException {
        while (found.next()) {
            switch (found.getInt(1)) {
                case WRITERS -> {
                    writers = Set.of(array(found.getArray(6), String[].class));
                    drawn = found.getLong(ENTRY);
                }
                case PAUSED -> paused = Set.of(array(found.getArray(6), String[].class));
                case LEASE -> page(found.getInt(ENTRY + 1)).addLease(found);
                default -> page(found.getInt(ENTRY + 1)).addNext(found);
            }
        }
    }

    /** Entries of all shards in any order, and with each of them, or in a row without one, where the range ends. */
    void readRange(ResultSet found) throws SQLException {
        while (found.next()) {
            last = found.getLong(1 + EntryRows.COLUMN_COUNT);
            int shard = found.getInt(2);
            if (!found.wasNull()) {
                rows++;
                page(shard).addAnywhere(found);
            }
        }
    }

    /** Every row has the lease and the pauses, and an entry if there is one. */
    void readOne(ResultSet found) throws SQLException {
        PageBuilder page = page(cursors.get(0).shard());
        while (found.next()) {
            paused = Set.of(array(found.getArray(6), String[].class));
            page.addLease(found);
            if (found.getInt(1) != LEASE) {
                page.addNext(found);
            }
        }
    }

    private PageBuilder page(int shard) throws SQLException {
        PageBuilder page = pages.get(shard);
        if (page == null) {
            throw new SQLException("The scan answered shard " + shard + ", which nobody asked for");
        }
        return page;
    }

    /** Whether a page did not get anywhere, because of a payload that is larger than its share. */
    boolean isStuck() {
        return pages.values().stream().anyMatch(page -> page.stuck);
    }

    /** Whether a range has so little that a longer one is worth another read. */
    boolean isSparse(int most) {
        return SPARSE * rows < most;
    }

    /** Whether nothing was found in a range. */
    boolean isEmpty() {
        return rows == 0;
    }

    /** Whether a range may have more than what was read of it. */
    boolean isFull(int most) {
        return rows >= most;
    }

    /** Whether a range has an end and was read up to there. */
    boolean isWhole(int most) {
        return last > 0 && last < Long.MAX_VALUE && !isFull(most) && !isStuck();
    }

    Scan build() throws SQLException {
        List<ShardPage> built = new ArrayList<>(cursors.size());
        for (ScanCursor cursor : cursors) {
            PageBuilder page = page(cursor.shard());
            if (together) {
                page.endAt(last);
            }
            built.add(page.build());
        }
        return new Scan(built, writers, drawn, paused);
    }

    /** The same for lanes, which are as many as the cursors and were read together. */
    List<LanePage> build(List<LaneCursor> lanes) throws SQLException {
        List<LanePage> built = new ArrayList<>(lanes.size());
        for (LaneCursor lane : lanes) {
            PageBuilder page = page(lane.shard());
            page.endAt(last);
            built.add(new LanePage(lane, page.entries, page.position, page.more));
        }
        return built;
    }

    private static <T> T array(Array array, Class<T> type) throws SQLException {
        return type.cast(array.getArray());
    }

    /** Collects the rows of one shard. */
    private static final class PageBuilder {
        private final EntryRows entryRows;
        private final ScanCursor cursor;
        private final List<Entry> entries = new ArrayList<>();
        private long position;
        private int looked;
        private boolean more;
        private boolean stopped;
        private boolean stuck;
        private long bytes;
        private @Nullable Lease lease;
        private boolean owned;
        private List<Long> below = List.of();

        PageBuilder(EntryRows entryRows, ScanCursor cursor) {
            this.entryRows = entryRows;
            this.cursor = cursor;
            this.position = cursor.position();
        }

        void addLease(ResultSet rows) throws SQLException {
            owned = rows.getBoolean(2);
            lease = new Lease(cursor.shard(), rows.getLong(3), rows.getLong(4));
            Array sequences = rows.getArray(5);
            below = sequences == null ? List.of() : List.of(array(sequences, Long[].class));
        }

        /** A row of a range, in any order. */
        void addAnywhere(ResultSet rows) throws SQLException {
            if (rows.getLong(1) <= cursor.position()) {
                return;
            }
            if (rows.getBytes(PAYLOAD) == null) {
                stuck = true;
            } else {
                entryRows.readValid(rows, 1).ifPresent(entries::add);
            }
        }

        void endAt(long last) {
            entries.sort(Comparator.comparingLong(Entry::sequence));
            position = Math.max(cursor.position(), last);
            more = true;
        }

        void addNext(ResultSet rows) throws SQLException {
            if (!stopped) {
                looked++;
                addEntry(rows, looked > cursor.limit() ? STOP : rows.getInt(1));
            }
        }

        private void addEntry(ResultSet rows, int part) throws SQLException {
            switch (part) {
                case TAKEN -> {
                    position = rows.getLong(ENTRY);
                    entryRows.readValid(rows, ENTRY).ifPresent(this::take);
                }
                case PASSED -> position = rows.getLong(ENTRY);
                case STOP -> {
                    more = true;
                    stopped = true;
                    stuck = looked == 1 && cursor.limit() > 0;
                }
                default -> throw new SQLException("Unknown part " + part);
            }
        }

        private void take(Entry entry) {
            entries.add(entry);
            bytes += entry.event().payload().size();
            more |= bytes > cursor.maxBytes();
        }

        ShardPage build() throws SQLException {
            if (lease == null) {
                throw new SQLException("The lease of shard " + cursor.shard() + " is missing", "42P01");
            }
            return new ShardPage(lease, owned, entries, position, more, below);
        }
    }
}
