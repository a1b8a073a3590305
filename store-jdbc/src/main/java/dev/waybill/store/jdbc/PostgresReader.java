package dev.waybill.store.jdbc;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryReader;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** How a relay reads entries, on PostgreSQL: one autocommit statement for each operation. Thread-safe. */
final class PostgresReader implements EntryReader {
    // As the index has it.
    private static final String DUE = "COALESCE(o.retry_at, o.available_at)";

    /** Until an entry is due, by the database's clock; null if it always was, which takes less to send than a number. */
    static final String DUE_IN = "CASE WHEN " + DUE + " IS NOT NULL THEN (EXTRACT(EPOCH FROM " + DUE
            + " - statement_timestamp()) * 1000000)::bigint END";

    static final String ENTRY = EntryRows.COLUMNS.replaceAll("(\\w+)", "o.$1") + ", " + DUE_IN;

    private static final int SMALLEST_PART = 64;

    private final Sessions sessions;
    private final EntryRows entryRows;
    private final PostgresScan scan;
    private final PostgresLanes lanes;
    private final String readKeys;
    private final String readEntries;
    private final String readDue;
    private final String readParked;

    PostgresReader(Sessions sessions, PostgresStatements statements, EntryRows entryRows) {
        this.sessions = sessions;
        this.entryRows = entryRows;
        scan = new PostgresScan(statements, entryRows);
        lanes = new PostgresLanes(statements, entryRows);
        readKeys = statements.withSettings("""
                SELECT %s
                FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
                    AS k (shard, low, high, destination, event_key)
                CROSS JOIN LATERAL (
                    SELECT * FROM {outbox} o
                    WHERE o.shard = k.shard AND o.seq BETWEEN k.low AND k.high
                        AND o.destination = k.destination AND o.event_key = k.event_key
                    ORDER BY o.seq LIMIT ?
                ) o
                ORDER BY o.seq
                """.formatted(ENTRY));
        readEntries = statements.withSettings("""
                SELECT %s FROM {outbox} o WHERE o.shard = ? AND o.seq = ANY (?::bigint[]) ORDER BY o.seq
                """.formatted(ENTRY));
        // Every shard answers a part of the page (index-only), and the page ends where the first shard's part ends:
        // what comes after that in other shards may come after something that this shard has not shown yet. So the
        // read stays a small multiple of the limit, although any one shard may hold all that is due. LIMIT 1 keeps the
        // last join as it is written: with an outbox that it takes for empty the planner would begin there.
        readDue = statements.withSettings("""
                WITH shards AS MATERIALIZED (
                    SELECT shard FROM unnest(?::smallint[]) AS s (shard)
                ), part AS MATERIALIZED (
                    SELECT d.*, row_number() OVER (PARTITION BY d.shard ORDER BY d.due_at, d.seq) AS n
                    FROM shards s CROSS JOIN LATERAL (
                        SELECT o.shard, %1$s AS due_at, o.seq FROM {outbox} o
                        WHERE o.shard = s.shard AND %1$s IS NOT NULL
                            AND (%1$s, o.seq) > (?::timestamptz, ?::bigint) AND %1$s <= statement_timestamp()
                        ORDER BY %1$s, o.seq LIMIT ?
                    ) d
                ), page_end AS MATERIALIZED (
                    SELECT due_at, seq FROM part WHERE n = ? ORDER BY due_at, seq LIMIT 1
                ), page AS MATERIALIZED (
                    SELECT p.shard, p.seq FROM part p
                    WHERE (p.due_at, p.seq) <= (SELECT due_at, seq FROM page_end) OR NOT EXISTS (SELECT FROM page_end)
                    ORDER BY p.due_at, p.seq LIMIT ? + 1
                )
                SELECT %2$s, %1$s, EXISTS (SELECT FROM page_end), NULL::bigint
                FROM page p CROSS JOIN LATERAL (
                    SELECT * FROM {outbox} o WHERE o.shard = p.shard AND o.seq = p.seq LIMIT 1
                ) o
                UNION ALL
                SELECT NULL::bigint, %3$s, NULL::timestamptz, NULL::boolean,
                    (EXTRACT(EPOCH FROM min(next.due_at) - statement_timestamp()) * 1000000)::bigint
                FROM shards s CROSS JOIN LATERAL (
                    SELECT %1$s AS due_at FROM {outbox} o WHERE o.shard = s.shard AND %1$s > statement_timestamp()
                    ORDER BY %1$s LIMIT 1
                ) next
                ORDER BY 18, 1
                """.formatted(DUE, ENTRY, nulls(EntryRows.COLUMN_COUNT - 1)));
        readParked = statements.withSettings(
                "SELECT destination, event_key, shard, state FROM {parked_key} WHERE shard = ANY (?::smallint[])");
    }

    private static String nulls(int count) {
        return "NULL, ".repeat(count - 1) + "NULL";
    }

    @Override
    public Scan scan(UUID relay, List<ScanCursor> cursors) {
        return sessions.autocommit("scan the outbox", connection -> scan.scan(connection, relay, cursors));
    }

    @Override
    public Scan peek(UUID relay, List<ScanCursor> cursors) {
        return sessions.autocommit("scan the outbox", connection -> scan.peek(connection, relay, cursors));
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        if (lanes.isEmpty()) {
            return List.of();
        }
        return sessions.autocommit("read lanes", connection -> this.lanes.read(connection, lanes));
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return sessions.autocommit("read keys", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, readKeys)) {
                bind(statement, 1, "smallint", keys, cursor ->
                        (short) cursor.key().shard());
                bind(statement, 2, "bigint", keys, KeyCursor::from);
                bind(statement, 3, "bigint", keys, KeyCursor::to);
                bind(statement, 4, "text", keys, cursor -> cursor.key().destination());
                bind(statement, 5, "text", keys, cursor -> cursor.key().key());
                statement.setInt(6, limit);
                return entryRows.readAll(PostgresStatements.query(statement));
            }
        });
    }

    private static void bind(
            PreparedStatement statement,
            int parameter,
            String type,
            Collection<KeyCursor> keys,
            Function<KeyCursor, Object> value)
            throws SQLException {
        SqlArrays.bind(statement, parameter, type, keys.stream().map(value).toArray());
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        if (sequences.isEmpty()) {
            return List.of();
        }
        return sessions.autocommit("read entries", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, readEntries)) {
                statement.setInt(1, shard);
                SqlArrays.bind(statement, 2, "bigint", sequences.toArray());
                return entryRows.readAll(PostgresStatements.query(statement));
            }
        });
    }

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        return sessions.autocommit("read what is due", connection -> {
            int part = Math.min(limit + 1, Math.max(SMALLEST_PART, 4 * limit / Math.max(1, shards.size()) + 1));
            try (PreparedStatement statement = PostgresStatements.prepare(connection, readDue)) {
                SqlArrays.bind(statement, 1, "smallint", SqlArrays.shards(shards));
                statement.setObject(2, EntryRows.atUtc(after.time()));
                statement.setLong(3, after.sequence());
                statement.setInt(4, part);
                statement.setInt(5, part);
                statement.setInt(6, limit);
                return duePage(PostgresStatements.query(statement), after, limit);
            }
        });
    }

    private DuePage duePage(ResultSet rows, DueCursor after, int limit) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        DueCursor next = after;
        boolean more = false;
        Optional<Duration> nextIn = Optional.empty();
        while (rows.next()) {
            OffsetDateTime dueAt = rows.getObject(EntryRows.COLUMN_COUNT + 1, OffsetDateTime.class);
            if (dueAt == null) {
                long micros = rows.getLong(EntryRows.COLUMN_COUNT + 3);
                nextIn = rows.wasNull() ? Optional.empty() : Optional.of(EntryRows.micros(micros));
                continue;
            }
            more |= rows.getBoolean(EntryRows.COLUMN_COUNT + 2);
            if (entries.size() == limit) {
                more = true;
                break;
            }
            entryRows.readValid(rows, 1).ifPresent(entries::add);
            next = new DueCursor(dueAt.toInstant(), rows.getLong(1));
        }
        return new DuePage(entries, next, more, more ? Optional.of(Duration.ZERO) : nextIn);
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        return sessions.autocommit("read parked keys", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, readParked)) {
                SqlArrays.bind(statement, 1, "smallint", SqlArrays.shards(shards));
                ResultSet rows = PostgresStatements.query(statement);
                List<ParkedKey> keys = new ArrayList<>();
                while (rows.next()) {
                    keys.add(ParkedKeyRows.parkedKey(rows));
                }
                return keys;
            }
        });
    }
}
