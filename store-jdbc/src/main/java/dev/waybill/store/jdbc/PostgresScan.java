package dev.waybill.store.jdbc;

import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The two reads that go through whole shards by sequence, on PostgreSQL. Immutable and thread-safe. */
final class PostgresScan {
    // What a row of the result is: its first column.
    private static final int LEASE = 0;
    private static final int WRITERS = 1;
    private static final int TAKEN = 2;
    private static final int PASSED = 3;
    private static final int STOP = 4;
    private static final int PAUSED = 5;

    // Where an entry's columns begin in a scan's row.
    private static final int ENTRY = 7;

    // A lane reads over the rows of other destinations: at most so many for each that it may return.
    private static final int LANE_FACTOR = 4;

    private final EntryRows entryRows;
    private final String scan;
    private final String readLanes;

    PostgresScan(PostgresStatements statements, EntryRows entryRows) {
        this.entryRows = entryRows;
        // One statement, one snapshot. The writers come from pg_locks, a function that is called while the statement
        // runs, so after its snapshot was taken (it is volatile: the planner cannot call it earlier). A writer holds
        // its lock on the table before it draws a sequence: parse analysis takes it, or for a cached plan the check
        // of that plan, and both happen before the first row is computed. So a number that the snapshot does not show
        // belongs to a transaction of this list, to one that ended between the snapshot and this list (the next
        // snapshot shows it), or is yet to be drawn, and then it is higher than all that the snapshot shows.
        //
        // A writer has two names once it has a transaction id: PREPARE TRANSACTION takes the first one (the virtual
        // id) away while the lock stays. Statements of relays hold the same lock for a moment; that only delays the
        // low-water mark.
        scan = statements.withOnePlan(
                """
                WITH cursor AS MATERIALIZED (
                    SELECT shard, low_water, position, lim, max_bytes, string_to_array(skipped, E'\\n') AS skipped
                    FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::int[], ?::bigint[], ?::text[])
                        AS c (shard, low_water, position, lim, max_bytes, skipped)
                ), lock AS MATERIALIZED (
                    SELECT locktype, database, relation, transactionid, virtualtransaction, mode
                    FROM pg_locks WHERE granted AND locktype IN ('relation', 'transactionid')
                ), writer AS MATERIALIZED (
                    SELECT virtualtransaction FROM lock
                    WHERE locktype = 'relation' AND relation = '{outbox}'::regclass AND mode = 'RowExclusiveLock'
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                )
                SELECT 0, l.owner = ?, l.epoch, l.rewind, ARRAY(
                        SELECT o.seq FROM {outbox} o
                        WHERE o.shard = c.shard AND o.seq > c.low_water AND o.seq <= c.position ORDER BY o.seq
                    ), NULL::text[], NULL::bigint, l.shard, %1$s
                FROM cursor c JOIN {lease} l ON l.shard = c.shard
                UNION ALL
                SELECT CASE
                        WHEN o.n > c.lim OR (o.bytes > c.max_bytes AND o.taken > 1) THEN 4 WHEN o.skip THEN 3 ELSE 2
                    END, NULL, NULL, NULL, NULL, NULL, o.seq, o.shard, o.id, o.destination, o.event_key, o.type,
                    o.version, o.content_type, o.headers,
                    CASE
                        WHEN o.skip OR o.n > c.lim OR (o.bytes > c.max_bytes AND o.taken > 1) THEN NULL ELSE o.payload
                    END,
                    o.occurred_at, o.available_at, o.attempts, o.last_error, o.replay, o.inflated_size, %2$s
                FROM cursor c CROSS JOIN LATERAL (
                    SELECT r.*, row_number() OVER w AS n, count(*) FILTER (WHERE NOT r.skip) OVER w AS taken,
                        sum(r.size) OVER w AS bytes
                    FROM (
                        SELECT o.*, o.destination = ANY (c.skipped) AS skip,
                            CASE WHEN o.destination = ANY (c.skipped) THEN 0
                                ELSE COALESCE(o.inflated_size, octet_length(o.payload)) END AS size
                        FROM {outbox} o WHERE o.shard = c.shard AND o.seq > c.position
                        ORDER BY o.seq LIMIT c.lim + 1
                    ) r
                    WINDOW w AS (ORDER BY r.seq ROWS UNBOUNDED PRECEDING)
                ) o
                WHERE o.bytes - o.size <= c.max_bytes
                UNION ALL
                SELECT 1, NULL, NULL, NULL, NULL, ARRAY(
                        SELECT virtualtransaction FROM writer
                        UNION
                        SELECT 'xid ' || t.transactionid FROM writer w
                        JOIN lock t ON t.locktype = 'transactionid' AND t.mode = 'ExclusiveLock'
                            AND t.virtualtransaction = w.virtualtransaction
                    ), NULL, NULL, %1$s
                UNION ALL
                SELECT 5, NULL, NULL, NULL, NULL, ARRAY(SELECT destination::text FROM {pause}), NULL, NULL, %1$s
                """.formatted("NULL, ".repeat(EntryRows.COLUMN_COUNT - 3) + "NULL", PostgresReader.DUE_IN));
        // The lane's rows are found among those of the shard: an index for lanes would cost every writer, and lanes
        // are read only while a destination is behind. The page ends at the last row that was looked at, whosever it
        // is.
        readLanes = statements.withSettings("""
                SELECT c.lane, CASE
                        WHEN NOT o.hit THEN 3
                        WHEN o.taken > c.lim OR (o.bytes > c.max_bytes AND o.taken > 1) THEN 4
                        ELSE 2
                    END, o.looked, o.seq, o.shard, o.id, o.destination, o.event_key, o.type, o.version, o.content_type,
                    o.headers,
                    CASE WHEN o.hit AND o.taken <= c.lim THEN o.payload END,
                    o.occurred_at, o.available_at, o.attempts, o.last_error, o.replay, o.inflated_size, %s
                FROM unnest(?::smallint[], ?::text[], ?::bigint[], ?::int[], ?::bigint[]) WITH ORDINALITY
                    AS c (shard, destination, position, lim, max_bytes, lane)
                CROSS JOIN LATERAL (
                    SELECT r.*, row_number() OVER w AS looked, lead(r.seq) OVER w IS NULL AS last,
                        count(*) FILTER (WHERE r.hit) OVER w AS taken, sum(r.size) OVER w AS bytes
                    FROM (
                        SELECT o.*, o.destination = c.destination AS hit,
                            CASE WHEN o.destination = c.destination THEN COALESCE(o.inflated_size, octet_length(o.payload))
                                ELSE 0 END AS size
                        FROM {outbox} o WHERE o.shard = c.shard AND o.seq > c.position
                        ORDER BY o.seq LIMIT %d * (c.lim + 1)
                    ) r
                    WINDOW w AS (ORDER BY r.seq ROWS UNBOUNDED PRECEDING)
                ) o
                WHERE ((o.hit AND o.taken <= c.lim + 1) OR (o.last AND o.taken <= c.lim))
                    AND o.bytes - o.size <= c.max_bytes
                ORDER BY c.lane, o.seq
                """.formatted(PostgresReader.DUE_IN, LANE_FACTOR));
    }

    /** For the test of its plan. */
    String scanSql() {
        return scan;
    }

    Scan scan(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        Map<Integer, PageBuilder> pages = new HashMap<>();
        for (ScanCursor cursor : cursors) {
            pages.put(cursor.shard(), new PageBuilder(entryRows, cursor));
        }
        Set<String> writers = Set.of();
        Set<String> paused = Set.of();
        try (PreparedStatement statement = PostgresStatements.prepare(connection, scan)) {
            bindScan(statement, relay, cursors);
            ResultSet rows = PostgresStatements.query(statement);
            while (rows.next()) {
                switch (rows.getInt(1)) {
                    case WRITERS -> writers = Set.of(array(rows.getArray(6), String[].class));
                    case PAUSED -> paused = Set.of(array(rows.getArray(6), String[].class));
                    default -> page(pages, rows.getInt(ENTRY + 1)).add(rows);
                }
            }
        }
        List<ShardPage> built = new ArrayList<>(cursors.size());
        for (ScanCursor cursor : cursors) {
            built.add(page(pages, cursor.shard()).build());
        }
        return new Scan(built, writers, paused);
    }

    static void bindScan(PreparedStatement statement, UUID relay, List<ScanCursor> cursors) throws SQLException {
        bind(statement, 1, "smallint", cursors, cursor -> (short) cursor.shard());
        bind(statement, 2, "bigint", cursors, ScanCursor::lowWater);
        bind(statement, 3, "bigint", cursors, ScanCursor::position);
        bind(statement, 4, "int", cursors, ScanCursor::limit);
        bind(statement, 5, "bigint", cursors, ScanCursor::maxBytes);
        // Names of destinations hold no line feed.
        bind(statement, 6, "text", cursors, cursor -> String.join("\n", cursor.skipped()));
        statement.setObject(7, relay);
    }

    private static PageBuilder page(Map<Integer, PageBuilder> pages, int shard) throws SQLException {
        PageBuilder page = pages.get(shard);
        if (page == null) {
            throw new SQLException("The scan answered shard " + shard + ", which nobody asked for");
        }
        return page;
    }

    List<LanePage> readLanes(Connection connection, List<LaneCursor> lanes) throws SQLException {
        List<LaneBuilder> builders =
                lanes.stream().map(lane -> new LaneBuilder(entryRows, lane)).toList();
        try (PreparedStatement statement = PostgresStatements.prepare(connection, readLanes)) {
            bind(statement, 1, "smallint", lanes, lane -> (short) lane.shard());
            bind(statement, 2, "text", lanes, LaneCursor::destination);
            bind(statement, 3, "bigint", lanes, LaneCursor::position);
            bind(statement, 4, "int", lanes, LaneCursor::limit);
            bind(statement, 5, "bigint", lanes, LaneCursor::maxBytes);
            ResultSet rows = PostgresStatements.query(statement);
            while (rows.next()) {
                builders.get(rows.getInt(1) - 1).add(rows);
            }
        }
        return builders.stream().map(LaneBuilder::build).toList();
    }

    private static <T> void bind(
            PreparedStatement statement, int parameter, String type, Collection<T> elements, Function<T, Object> value)
            throws SQLException {
        SqlArrays.bind(statement, parameter, type, elements.stream().map(value).toArray());
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
        private boolean more;
        private long bytes;
        private @Nullable Lease lease;
        private boolean owned;
        private List<Long> below = List.of();

        PageBuilder(EntryRows entryRows, ScanCursor cursor) {
            this.entryRows = entryRows;
            this.cursor = cursor;
            this.position = cursor.position();
        }

        void add(ResultSet rows) throws SQLException {
            switch (rows.getInt(1)) {
                case LEASE -> {
                    owned = rows.getBoolean(2);
                    lease = new Lease(cursor.shard(), rows.getLong(3), rows.getLong(4));
                    below = List.of(array(rows.getArray(5), Long[].class));
                }
                case TAKEN -> {
                    position = rows.getLong(ENTRY);
                    entryRows.readValid(rows, ENTRY).ifPresent(this::take);
                }
                case PASSED -> position = rows.getLong(ENTRY);
                case STOP -> more = true;
                default -> throw new SQLException("Unknown part " + rows.getInt(1));
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

    /** Collects the rows of one lane. */
    private static final class LaneBuilder {
        private final EntryRows entryRows;
        private final LaneCursor cursor;
        private final List<Entry> entries = new ArrayList<>();
        private long position;
        private boolean more;
        private long bytes;

        LaneBuilder(EntryRows entryRows, LaneCursor cursor) {
            this.entryRows = entryRows;
            this.cursor = cursor;
            this.position = cursor.position();
        }

        void add(ResultSet rows) throws SQLException {
            int part = rows.getInt(2);
            if (part == STOP) {
                more = true;
                return;
            }
            position = rows.getLong(4);
            more |= rows.getLong(3) == LANE_FACTOR * (cursor.limit() + 1L);
            if (part == TAKEN) {
                entryRows.readValid(rows, 4).ifPresent(this::take);
            }
        }

        private void take(Entry entry) {
            entries.add(entry);
            bytes += entry.event().payload().size();
            more |= bytes > cursor.maxBytes();
        }

        LanePage build() {
            return new LanePage(cursor, entries, position, more);
        }
    }
}
