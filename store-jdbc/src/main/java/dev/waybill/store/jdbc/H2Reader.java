package dev.waybill.store.jdbc;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryReader;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * How a relay reads entries, on H2: several small statements for each operation. Thread-safe.
 *
 * <p>What must be of one snapshot is read in a SERIALIZABLE transaction.
 */
final class H2Reader implements EntryReader {
    static final String ENTRY = EntryRows.COLUMNS
            + ", CASE WHEN due_at IS NULL THEN 0 ELSE DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP, due_at) END";

    // A lane reads over the rows of other destinations: at most so many for each that it may return.
    private static final int LANE_FACTOR = 4;

    private static final int LIST_TRIES = 10;
    private static final String CLOSED = "90098";

    private final Sessions sessions;
    private final EntryRows entryRows;
    private final H2Range range;
    private final String highest;
    private final String leases;
    private final String look;
    private final String readPage;
    private final String readLane;
    private final String below;
    private final String writers;
    private final String firstOfKey;
    private final String readEntry;
    private final String due;
    private final String nextDue;
    private final String parked;
    private final String paused;

    H2Reader(Sessions sessions, Tables tables, EntryRows entryRows) {
        this.sessions = sessions;
        this.entryRows = entryRows;
        range = new H2Range(tables, entryRows);
        highest = tables.sql("SELECT COALESCE(MAX(seq), 0) FROM {outbox}");
        leases = tables.sql("SELECT shard, owner, epoch, rewind FROM {lease} WHERE shard = ANY (?)");
        look = tables.sql("""
                SELECT seq, destination, COALESCE(inflated_size, OCTET_LENGTH(payload)) FROM {outbox} WHERE shard = ? AND seq > ?
                ORDER BY shard, seq LIMIT ?
                """);
        readPage = tables.sql("""
                SELECT %s FROM {outbox} WHERE shard = ? AND seq > ? AND seq <= ? AND NOT (destination = ANY (?))
                ORDER BY shard, seq
                """.formatted(ENTRY));
        readLane = tables.sql("""
                SELECT %s FROM {outbox} WHERE shard = ? AND seq > ? AND seq <= ? AND destination = ? ORDER BY shard, seq
                """.formatted(ENTRY));
        below = tables.sql("SELECT seq FROM {outbox} WHERE shard = ? AND seq > ? AND seq <= ? ORDER BY shard, seq");
        // A session that writes is listed until its transaction ends; one that only reads is not. Its number may come
        // back with its next transaction: that delays the low-water mark, and loses nothing.
        writers = tables.sql("""
                SELECT session_id FROM INFORMATION_SCHEMA.LOCKS
                WHERE UPPER(table_name) = UPPER('%soutbox') AND UPPER(table_schema) = UPPER(%s)
                """.formatted(
                        tables.prefix(),
                        tables.schemaDot().isEmpty()
                                ? "SCHEMA()"
                                : "'" + tables.schemaDot().replace(".", "") + "'"));
        firstOfKey = tables.sql("""
                SELECT %s FROM {outbox} WHERE shard = ? AND seq >= ? AND seq <= ? AND destination = ? AND event_key = ?
                ORDER BY shard, seq LIMIT ?
                """.formatted(ENTRY));
        readEntry = tables.sql("SELECT %s FROM {outbox} WHERE shard = ? AND seq = ?".formatted(ENTRY));
        due = tables.sql("""
                SELECT due_at, seq FROM {outbox}
                WHERE shard = ? AND due_at >= ? AND due_at <= CURRENT_TIMESTAMP AND (due_at > ? OR seq > ?)
                ORDER BY shard, due_at, seq LIMIT ?
                """);
        nextDue = tables.sql("""
                SELECT DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP, due_at) FROM {outbox}
                WHERE shard = ? AND due_at > CURRENT_TIMESTAMP ORDER BY shard, due_at LIMIT 1
                """);
        parked = tables.sql("SELECT destination, event_key, shard, state FROM {parked_key} WHERE shard = ?");
        paused = tables.sql("SELECT destination FROM {pause}");
    }

    @Override
    public Scan scan(UUID relay, List<ScanCursor> cursors) {
        return snapshot("scan the outbox", connection -> {
            Scan seen = peek(connection, relay, cursors);
            // Last, so after the snapshot: who wrote when it was taken and is not listed now has committed or rolled
            // back since.
            Set<String> open = new HashSet<>();
            for (long session : writers(connection)) {
                open.add("session " + session);
            }
            return new Scan(seen.pages(), open, seen.drawn(), seen.paused());
        });
    }

    @Override
    public Scan peek(UUID relay, List<ScanCursor> cursors) {
        return snapshot("look into the outbox", connection -> peek(connection, relay, cursors));
    }

    private Scan peek(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        Map<Integer, Holding> holdings = holdings(connection, relay, cursors);
        List<ShardPage> pages = pages(connection, holdings, cursors);
        // Numbers are drawn in order: all lower ones were drawn before this one was seen.
        long drawn = H2Sql.number(connection, highest);
        return new Scan(pages, Set.of(), drawn, paused(connection));
    }

    private List<ShardPage> pages(Connection connection, Map<Integer, Holding> holdings, List<ScanCursor> cursors)
            throws SQLException {
        RangeRows together = range.read(connection, cursors);
        List<ShardPage> pages = new ArrayList<>(cursors.size());
        for (ScanCursor cursor : cursors) {
            Holding holding = holdings.get(cursor.shard());
            if (holding == null) {
                throw new SQLException("The lease of shard " + cursor.shard() + " is missing", "42S02");
            }
            pages.add(
                    together == null
                            ? page(connection, holding, cursor)
                            : together.page(cursor, holding.lease, holding.owned));
        }
        return pages;
    }

    /** H2 fails to list the locks when a session ends while it looks at it, and says that the database is closed. */
    private List<Long> writers(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return H2Sql.numbers(connection, writers);
            } catch (SQLException e) {
                if (attempt == LIST_TRIES || !SqlErrors.state(e).equals(CLOSED)) {
                    throw e;
                }
            }
        }
    }

    private Set<String> paused(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(paused);
                ResultSet rows = statement.executeQuery()) {
            Set<String> destinations = new HashSet<>();
            while (rows.next()) {
                destinations.add(rows.getString(1));
            }
            return destinations;
        }
    }

    /** A lease as it is in the store, and whether the relay owns it. */
    private record Holding(Lease lease, boolean owned) {}

    private Map<Integer, Holding> holdings(Connection connection, UUID relay, List<ScanCursor> cursors)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(leases)) {
            SqlArrays.bind(
                    statement, 1, "int", cursors.stream().map(ScanCursor::shard).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                Map<Integer, Holding> holdings = new HashMap<>();
                while (rows.next()) {
                    int shard = rows.getInt(1);
                    boolean owned = relay.equals(rows.getObject(2, UUID.class));
                    holdings.put(shard, new Holding(new Lease(shard, rows.getLong(3), rows.getLong(4)), owned));
                }
                return holdings;
            }
        }
    }

    private ShardPage page(Connection connection, Holding holding, ScanCursor cursor) throws SQLException {
        Look looked = look(
                connection,
                cursor.shard(),
                cursor.position(),
                cursor.limit() + 1,
                new Limits(cursor.limit(), cursor.limit(), cursor.maxBytes()),
                destination -> !cursor.skipped().contains(destination));
        List<Entry> entries = List.of();
        if (looked.taken > 0) {
            try (PreparedStatement statement =
                    H2Sql.prepare(connection, readPage, cursor.shard(), cursor.position(), looked.position)) {
                SqlArrays.bind(statement, 4, "varchar", cursor.skipped().toArray());
                entries = entries(statement);
            }
        }
        List<Long> seen = cursor.lowWater() == cursor.position()
                ? List.of()
                : H2Sql.numbers(connection, below, cursor.shard(), cursor.lowWater(), cursor.position());
        return new ShardPage(holding.lease, holding.owned, entries, looked.position, looked.more, seen);
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        return snapshot("read lanes", connection -> {
            List<LanePage> pages = new ArrayList<>(lanes.size());
            for (LaneCursor lane : lanes) {
                pages.add(lane(connection, lane));
            }
            return pages;
        });
    }

    private LanePage lane(Connection connection, LaneCursor lane) throws SQLException {
        Look looked = look(
                connection,
                lane.shard(),
                lane.position(),
                LANE_FACTOR * (lane.limit() + 1),
                new Limits(Integer.MAX_VALUE, lane.limit(), lane.maxBytes()),
                lane.destination()::equals);
        List<Entry> entries = List.of();
        if (looked.taken > 0) {
            try (PreparedStatement statement = H2Sql.prepare(
                    connection, readLane, lane.shard(), lane.position(), looked.position, lane.destination())) {
                entries = entries(statement);
            }
        }
        return new LanePage(lane, entries, looked.position, looked.more);
    }

    /** How far a page goes: decided before any payload is read, because H2 holds the whole result in memory. */
    private record Look(long position, int taken, boolean more) {}

    private record Limits(int rows, int taken, long maxBytes) {
        boolean isFull(int passed, int alreadyTaken, boolean take) {
            return passed == rows || (take && alreadyTaken == taken);
        }
    }

    private Look look(Connection connection, int shard, long after, int most, Limits limits, Predicate<String> wanted)
            throws SQLException {
        long position = after;
        int passed = 0;
        int taken = 0;
        long bytes = 0;
        try (PreparedStatement statement = H2Sql.prepare(connection, look, shard, after, most);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                boolean take = wanted.test(rows.getString(2));
                bytes += take ? rows.getLong(3) : 0;
                boolean full = limits.isFull(passed, taken, take) || (take && taken > 0 && bytes > limits.maxBytes);
                if (full) {
                    return new Look(position, taken, true);
                }
                position = rows.getLong(1);
                passed++;
                taken += take ? 1 : 0;
            }
        }
        return new Look(position, taken, passed == most);
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
        return snapshot("read keys", connection -> {
            List<Entry> found = new ArrayList<>();
            for (KeyCursor stretch : keys) {
                OrderKey key = stretch.key();
                try (PreparedStatement statement = H2Sql.prepare(
                        connection,
                        firstOfKey,
                        key.shard(),
                        stretch.from(),
                        stretch.to(),
                        key.destination(),
                        key.key(),
                        limit)) {
                    found.addAll(entries(statement));
                }
            }
            found.sort(Comparator.comparingLong(Entry::sequence));
            return found;
        });
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        return snapshot("read entries", connection -> {
            List<Entry> found = new ArrayList<>();
            for (long sequence : new TreeSet<>(sequences)) {
                found.addAll(entry(connection, shard, sequence));
            }
            return found;
        });
    }

    private List<Entry> entry(Connection connection, int shard, long sequence) throws SQLException {
        try (PreparedStatement statement = H2Sql.prepare(connection, readEntry, shard, sequence)) {
            return entries(statement);
        }
    }

    private List<Entry> entries(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return entryRows.readAll(rows);
        }
    }

    private record Due(int shard, Instant time, long sequence) {}

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        return snapshot("read what is due", connection -> {
            List<Due> found = new ArrayList<>();
            Optional<Duration> nextIn = Optional.empty();
            for (int shard : shards) {
                found.addAll(due(connection, shard, after, limit + 1));
                for (long micros : H2Sql.numbers(connection, nextDue, shard)) {
                    Duration wait = EntryRows.micros(micros);
                    nextIn = nextIn.filter(shortest -> shortest.compareTo(wait) < 0)
                            .or(() -> Optional.of(wait));
                }
            }
            found.sort(Comparator.comparing(Due::time).thenComparingLong(Due::sequence));
            boolean more = found.size() > limit;
            List<Entry> entries = new ArrayList<>();
            DueCursor next = after;
            for (Due one : more ? found.subList(0, limit) : found) {
                entries.addAll(entry(connection, one.shard, one.sequence));
                next = new DueCursor(one.time, one.sequence);
            }
            return new DuePage(entries, next, more, more ? Optional.of(Duration.ZERO) : nextIn);
        });
    }

    private List<Due> due(Connection connection, int shard, DueCursor after, int limit) throws SQLException {
        OffsetDateTime time = EntryRows.atUtc(after.time());
        try (PreparedStatement statement = H2Sql.prepare(connection, due, shard, time, time, after.sequence(), limit);
                ResultSet rows = statement.executeQuery()) {
            List<Due> found = new ArrayList<>();
            while (rows.next()) {
                found.add(new Due(shard, rows.getObject(1, OffsetDateTime.class).toInstant(), rows.getLong(2)));
            }
            return found;
        }
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        return snapshot("read parked keys", connection -> {
            List<ParkedKey> found = new ArrayList<>();
            for (int shard : shards) {
                try (PreparedStatement statement = H2Sql.prepare(connection, parked, shard);
                        ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(ParkedKeyRows.parkedKey(rows));
                    }
                }
            }
            return found;
        });
    }

    private <R> R snapshot(String operation, Sessions.Work<R> work) {
        return sessions.transaction(operation, connection -> H2Sql.snapshot(connection, work));
    }
}
