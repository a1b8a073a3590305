package dev.waybill.store.jdbc;

import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.jdbc.MariaSql.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The two reads that go through whole shards by sequence, on MariaDB. Immutable and thread-safe.
 *
 * <p>MariaDB has no lateral joins: one statement, and so one snapshot, is the union of a small read for each shard. It
 * looks at everything but the payloads; a second statement reads the entries that fit, by primary key. They do not change
 * in between, but for their attempts; one that is gone by then is left out.
 */
final class MariaScan {
    // What a row of the look is: its second column.
    private static final int LEASE = 0;
    private static final int BELOW = 1;
    private static final int BEYOND = 2;
    private static final int PAUSE = 3;
    private static final int DRAWN = 4;
    private static final int LOOK_COLUMNS = 5;

    // A lane reads over the rows of other destinations: at most so many for each that it may return.
    private static final int LANE_FACTOR = 4;

    private static final int LARGEST_READ = 1_000;

    private final MariaSessions sessions;
    private final MariaWriters writers;
    private final Tables tables;
    private final EntryRows entryRows;
    private final MariaRange range;
    private final String byShard;

    MariaScan(MariaSessions sessions, Tables tables, MariaWriters writers, EntryRows entryRows) {
        this.sessions = sessions;
        this.tables = tables;
        this.writers = writers;
        this.entryRows = entryRows;
        range = new MariaRange(sessions, tables, entryRows);
        byShard = " FORCE INDEX (" + tables.prefix() + "outbox_shard)";
    }

    Scan scan(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        Scan seen = peek(connection, relay, cursors);
        // Last, so after the snapshot: who wrote when it was taken and is not listed now has committed or rolled back
        // since, and InnoDB shows a commit before it gives up its locks.
        return new Scan(seen.pages(), writers.list(connection), seen.drawn(), seen.paused());
    }

    /** The same, without the writers: to list them is to lock what they lock. */
    Scan peek(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        Scan together = range.peek(connection, relay, cursors);
        if (together != null) {
            return together;
        }
        List<Look> looks = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (ScanCursor cursor : cursors) {
            int number = looks.size();
            looks.add(new ScanLook(cursor));
            parts.add(lease(number, cursor.shard()));
            if (cursor.lowWater() < cursor.position()) {
                parts.add(below(number, cursor));
            }
            if (cursor.limit() > 0) {
                parts.add(beyond(number, cursor.shard(), cursor.position(), cursor.limit() + 1L));
            }
        }
        RestLook rest = new RestLook();
        parts.add("(SELECT %d, %d, 0, destination, 0 FROM {pause})".formatted(looks.size(), PAUSE));
        parts.add(drawn(looks.size(), DRAWN, cursors));
        looks.add(rest);
        look(connection, parts, looks);
        looks.remove(rest);
        Map<Place, Entry> entries = read(connection, looks);
        List<ShardPage> pages = new ArrayList<>();
        for (Look look : looks) {
            pages.add(((ScanLook) look).page(relay, entries));
        }
        return new Scan(pages, Set.of(), rest.drawn, rest.paused);
    }

    List<LanePage> readLanes(Connection connection, List<LaneCursor> lanes) throws SQLException {
        List<Look> looks = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (LaneCursor lane : lanes) {
            parts.add(beyond(looks.size(), lane.shard(), lane.position(), LANE_FACTOR * (lane.limit() + 1L)));
            looks.add(new LaneLook(lane));
        }
        look(connection, parts, looks);
        Map<Place, Entry> entries = read(connection, looks);
        return looks.stream().map(look -> ((LaneLook) look).page(entries)).toList();
    }

    private static String lease(int number, int shard) {
        return "(SELECT %d, %d, epoch, owner, rewind FROM {lease} WHERE shard = %d)".formatted(number, LEASE, shard);
    }

    private String below(int number, ScanCursor cursor) {
        return """
                (SELECT %d, %d, seq, NULL, 0 FROM {outbox}%s WHERE shard = %d AND seq > %d AND seq <= %d ORDER BY seq)
                """.formatted(number, BELOW, byShard, cursor.shard(), cursor.lowWater(), cursor.position());
    }

    private String beyond(int number, int shard, long position, long limit) {
        return """
                (SELECT %d, %d, seq, destination, COALESCE(inflated_size, payload_size) FROM {outbox}%s
                WHERE shard = %d AND seq > %d ORDER BY seq LIMIT %d)
                """.formatted(number, BEYOND, byShard, shard, position, limit);
    }

    /**
     * The highest number: in a backlog it is far beyond what was read. Only beyond what is known already, because InnoDB reads over
     * what was deleted and not yet purged, and may find nothing else.
     */
    static String drawn(int number, int kind, List<ScanCursor> cursors) {
        long known = cursors.stream()
                .mapToLong(cursor -> Math.max(cursor.position(), cursor.decided()))
                .max()
                .orElse(0);
        return """
                (SELECT %d, %d, seq, NULL, 0 FROM {outbox} FORCE INDEX (PRIMARY) WHERE seq > %d ORDER BY seq DESC LIMIT 1)
                """.formatted(number, kind, known);
    }

    private void look(Connection connection, List<String> parts, List<Look> looks) throws SQLException {
        if (parts.isEmpty()) {
            return;
        }
        String sql = tables.sql(MariaSql.union(LOOK_COLUMNS, parts));
        try (PreparedStatement statement = sessions.prepareRead(connection, sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                looks.get(rows.getInt(1)).add(rows);
            }
        }
    }

    private Map<Place, Entry> read(Connection connection, List<Look> looks) throws SQLException {
        List<Place> places = new ArrayList<>();
        looks.forEach(look -> places.addAll(look.taken));
        Map<Place, Entry> entries = new HashMap<>();
        for (Entry entry : read(connection, places)) {
            entries.put(new Place(entry.shard(), entry.sequence()), entry);
        }
        return entries;
    }

    /** Those of the entries that still exist, by sequence. */
    List<Entry> read(Connection connection, Collection<Place> places) throws SQLException {
        List<Place> sorted = places.stream()
                .sorted(Comparator.comparingLong(Place::sequence))
                .toList();
        List<Entry> entries = new ArrayList<>();
        for (int from = 0; from < sorted.size(); from += LARGEST_READ) {
            List<Place> some = sorted.subList(from, Math.min(sorted.size(), from + LARGEST_READ));
            String sql = tables.sql("SELECT " + MariaSql.ENTRY + " FROM {outbox} FORCE INDEX (PRIMARY) WHERE "
                    + MariaSql.at(some) + " ORDER BY seq");
            try (PreparedStatement statement = sessions.prepareRead(connection, sql)) {
                entries.addAll(entries(statement));
            }
        }
        return entries;
    }

    List<Entry> entries(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return entryRows.readAll(rows);
        }
    }

    /** Decides how far a page goes, row by row. */
    private abstract static class Look {
        final List<Place> taken = new ArrayList<>();
        long position;
        boolean more;
        private long bytes;

        Look(long position) {
            this.position = position;
        }

        abstract void add(ResultSet rows) throws SQLException;

        /** Whether another entry of this size fits; the first one always does. */
        boolean takes(int shard, long sequence, int size, int limit, long maxBytes) {
            boolean full = taken.size() == limit || (!taken.isEmpty() && bytes + size > maxBytes);
            if (!full) {
                bytes += size;
                taken.add(new Place(shard, sequence));
            }
            return !full;
        }

        List<Entry> entries(Map<Place, Entry> read) {
            List<Entry> entries = new ArrayList<>();
            for (Place place : taken) {
                Entry entry = read.get(place);
                if (entry != null) {
                    entries.add(entry);
                }
            }
            return entries;
        }
    }

    /** What belongs to no shard. */
    private static final class RestLook extends Look {
        private final Set<String> paused = new HashSet<>();
        private long drawn;

        RestLook() {
            super(0);
        }

        @Override
        void add(ResultSet rows) throws SQLException {
            if (rows.getInt(2) == DRAWN) {
                drawn = rows.getLong(3);
            } else {
                paused.add(rows.getString(4));
            }
        }
    }

    private static final class ScanLook extends Look {
        private final ScanCursor cursor;
        private final List<Long> below = new ArrayList<>();
        private int passed;
        private @Nullable Lease lease;
        private @Nullable String owner;

        ScanLook(ScanCursor cursor) {
            super(cursor.position());
            this.cursor = cursor;
            this.more = cursor.limit() == 0;
        }

        @Override
        void add(ResultSet rows) throws SQLException {
            switch (rows.getInt(2)) {
                case LEASE -> {
                    lease = new Lease(cursor.shard(), rows.getLong(3), rows.getLong(5));
                    owner = rows.getString(4);
                }
                case BELOW -> below.add(rows.getLong(3));
                default -> beyond(rows.getLong(3), rows.getString(4), rows.getInt(5));
            }
        }

        private void beyond(long sequence, String destination, int size) {
            if (more) {
                return;
            }
            boolean skip = cursor.skipped().contains(destination);
            if (passed == cursor.limit()
                    || (!skip && !takes(cursor.shard(), sequence, size, cursor.limit(), cursor.maxBytes()))) {
                more = true;
                return;
            }
            position = sequence;
            passed++;
        }

        ShardPage page(UUID relay, Map<Place, Entry> read) throws SQLException {
            if (lease == null) {
                throw new SQLException("The lease of shard " + cursor.shard() + " is missing", "42S02");
            }
            return new ShardPage(lease, relay.toString().equals(owner), entries(read), position, more, below);
        }
    }

    private static final class LaneLook extends Look {
        private final LaneCursor cursor;
        private long looked;

        LaneLook(LaneCursor cursor) {
            super(cursor.position());
            this.cursor = cursor;
        }

        @Override
        void add(ResultSet rows) throws SQLException {
            looked++;
            boolean hit = cursor.destination().equals(rows.getString(4));
            if (more
                    || (hit
                            && !takes(
                                    cursor.shard(),
                                    rows.getLong(3),
                                    rows.getInt(5),
                                    cursor.limit(),
                                    cursor.maxBytes()))) {
                more = true;
                return;
            }
            position = rows.getLong(3);
        }

        LanePage page(Map<Place, Entry> read) {
            boolean stopped = more || looked == LANE_FACTOR * (cursor.limit() + 1L);
            return new LanePage(cursor, entries(read), position, stopped);
        }
    }
}
