package dev.waybill.store.jdbc;

import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a relay reads on in its shards, on PostgreSQL. Immutable and thread-safe. */
final class PostgresScan {
    /** The parameter of a {@link #range} that says for which destinations. */
    static final int DESTINATIONS = 9;

    private static final int AFTER_CURSORS = 7;

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
    //
    // Of one shard the highest number is read too: in a backlog it is far beyond what the others have read. Only beyond
    // what that one has read, or it would go through all that was deleted.
    private static final String CURSORS = """
            WITH cursor AS MATERIALIZED (
                SELECT shard, low_water, position, lim, max_bytes, max_bytes / GREATEST(lim, 1) AS share,
                    string_to_array(skipped, E'\\n') AS skipped
                FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::int[], ?::bigint[], ?::text[])
                    AS c (shard, low_water, position, lim, max_bytes, skipped)
            )
            """;
    private static final String LOCKS = """
            , lock AS MATERIALIZED (
                SELECT locktype, database, relation, transactionid, virtualtransaction, mode
                FROM pg_locks WHERE granted AND locktype IN ('relation', 'transactionid')
            ), writer AS MATERIALIZED (
                SELECT virtualtransaction FROM lock
                WHERE locktype = 'relation' AND relation = '{outbox}'::regclass AND mode = 'RowExclusiveLock'
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            )
            """;
    private static final String LEASES = """
            SELECT 0, l.owner = ? AND %3$s, l.epoch, l.rewind, CASE
                    WHEN c.low_water < c.position THEN ARRAY(
                        SELECT o.seq FROM {outbox} o
                        WHERE o.shard = c.shard AND o.seq > c.low_water AND o.seq <= c.position ORDER BY o.seq
                    )
                END, NULL::text[], NULL::bigint, l.shard, %1$s
            FROM cursor c JOIN {lease} l ON l.shard = c.shard
            """;
    // With a range that is all: there is nothing to look for below the positions.
    private static final String LEASES_ONLY = """
            SELECT 0, l.owner = ? AND %s, l.epoch, l.rewind, NULL::bigint[], NULL::text[], NULL::bigint, l.shard
            FROM {lease} l WHERE l.shard = ANY (?::smallint[])
            UNION ALL
            SELECT 5, NULL, NULL, NULL, NULL, ARRAY(SELECT destination::text FROM {pause}), NULL, NULL
            """.formatted(PostgresLeases.GIVEN_HERE);
    private static final String AND = "UNION ALL ";
    // As long as no payload has more than its share of the bytes, the rows are within them: nobody has to add up.
    private static final String ROWS = """
            SELECT o.part, NULL, NULL, NULL, NULL, NULL, o.seq, o.shard, o.id, o.destination, o.event_key, o.type,
                o.version, o.content_type, o.headers, CASE WHEN o.part = 2 THEN o.payload END,
                o.occurred_at, o.available_at, o.attempts, o.last_error, o.replay, o.inflated_size, %2$s
            FROM cursor c CROSS JOIN LATERAL (
                SELECT o.*, CASE
                        WHEN o.destination = ANY (c.skipped) THEN 3
                        WHEN COALESCE(o.inflated_size, octet_length(o.payload)) > c.share THEN 4
                        ELSE 2
                    END AS part
                FROM {outbox} o WHERE o.shard = c.shard AND o.seq > c.position
                ORDER BY o.seq LIMIT c.lim + 1
            ) o
            """;
    // All shards together: the rows of a shard are scattered over the table, those of all of them are whole pages,
    // and a bitmap goes through them one by one. It has no order and no limit, so the range has to end where about
    // as many rows are found as are wanted. That is guessed, which is right if few sequences are missing and all shards
    // have about as much; if far too little is found, or too much, the two shards that are furthest behind are asked,
    // which takes a sixth of the whole read. A statement of
    // its own, because rows that go through a UNION take twice as long. It comes before the other one: leases, pauses
    // and writers may be of a later moment than the entries, never of an earlier one.
    private static final String RANGE = """
            WITH range AS MATERIALIZED (
                SELECT LEAST(?::bigint, (
                    SELECT min(s.seq) FROM unnest(?::smallint[], ?::bigint[], ?::int[]) AS c (shard, position, lim)
                    CROSS JOIN LATERAL (
                        SELECT o.seq FROM {outbox} o WHERE o.shard = c.shard AND o.seq > c.position
                        ORDER BY o.seq OFFSET c.lim - 1 LIMIT 1
                    ) s
                )) AS last
            )
            """;
    private static final String ROWS_OF_RANGE = """
            SELECT %s, (SELECT last FROM range) FROM {outbox} o
            WHERE o.shard = ANY (?::smallint[]) AND o.seq > ? AND o.seq <= (SELECT last FROM range)
                AND o.destination %s
            LIMIT ?
            """;
    // Where it ends if there is nothing in it. Not always, because of the UNION.
    private static final String END_OF_RANGE =
            "UNION ALL SELECT " + "NULL, ".repeat(EntryRows.COLUMN_COUNT) + "(SELECT last FROM range)";
    private static final String NOT_SKIPPED = "<> ALL (?::text[])";
    private static final String FITTING_PAYLOAD =
            "CASE WHEN octet_length(o.payload) <= ? AND (o.inflated_size IS NULL OR o.inflated_size <= ?) THEN o.payload END";
    // Adds up, which takes half as long again.
    private static final String FITTING_ROWS = """
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
            """;
    private static final String WRITING = """
            UNION ALL
            SELECT 1, NULL, NULL, NULL, NULL, ARRAY(
                    SELECT virtualtransaction FROM writer
                    UNION
                    SELECT 'xid ' || t.transactionid FROM writer w
                    JOIN lock t ON t.locktype = 'transactionid' AND t.mode = 'ExclusiveLock'
                        AND t.virtualtransaction = w.virtualtransaction
                ), (
                    SELECT o.seq FROM {outbox} o
                    WHERE o.shard = (SELECT shard FROM cursor LIMIT 1)
                        AND o.seq > (SELECT position FROM cursor LIMIT 1)
                    ORDER BY o.seq DESC LIMIT 1
                ), NULL, %1$s
            """;
    private static final String PAUSES = """
            UNION ALL
            SELECT 5, NULL, NULL, NULL, NULL, ARRAY(SELECT destination::text FROM {pause}), NULL, NULL, %1$s
            """;
    // One shard, which is what a relay looks at after a commit: without arrays, which take longer than the entry.
    private static final String ONE = """
            SELECT COALESCE(o.part, 0), l.owner = ? AND %2$s, l.epoch, l.rewind, ARRAY(
                    SELECT o.seq FROM {outbox} o WHERE o.shard = ? AND o.seq > ? AND o.seq <= ? ORDER BY o.seq
                ), ARRAY(SELECT destination::text FROM {pause}), o.seq, l.shard, o.id, o.destination, o.event_key, o.type,
                o.version, o.content_type, o.headers, CASE WHEN o.part = 2 THEN o.payload END AS payload,
                o.occurred_at, o.available_at, o.attempts, o.last_error, o.replay, o.inflated_size, %1$s
            FROM {lease} l LEFT JOIN LATERAL (
                SELECT o.*, CASE
                        WHEN o.destination = ANY (?) THEN 3
                        WHEN COALESCE(o.inflated_size, octet_length(o.payload)) > ? THEN 4
                        ELSE 2
                    END AS part
                FROM {outbox} o WHERE o.shard = l.shard AND o.seq > ?
                ORDER BY o.seq LIMIT ?
            ) o ON true
            WHERE l.shard = ?
            """.formatted(PostgresReader.DUE_IN, PostgresLeases.GIVEN_HERE);

    private final EntryRows entryRows;
    private final String scan;
    private final String peek;
    private final String peekOne;
    private final String scanFitting;
    private final String scanAll;
    private final String peekAll;
    private final String peekRange;
    private final String scanOver;
    private final String peekOver;

    PostgresScan(PostgresStatements statements, EntryRows entryRows) {
        this.entryRows = entryRows;
        scan = statements.withOnePlan(scanning(ROWS));
        peek = statements.withOnePlan(peeking(ROWS));
        peekOne = statements.withOnePlan(ONE);
        scanFitting = statements.withOnePlan(scanning(FITTING_ROWS));
        String scanBeside = withNulls(CURSORS + LOCKS + LEASES + WRITING + PAUSES);
        String peekBeside = withNulls(CURSORS + LEASES + PAUSES);
        scanAll = statements.withBitmaps(range(NOT_SKIPPED) + scanBeside);
        peekAll = statements.withBitmaps(range(NOT_SKIPPED) + peekBeside);
        peekRange = statements.withBitmaps(range(NOT_SKIPPED) + LEASES_ONLY);
        scanOver = statements.withBitmaps(rangeAndItsEnd(NOT_SKIPPED) + scanBeside);
        peekOver = statements.withBitmaps(rangeAndItsEnd(NOT_SKIPPED) + peekBeside);
    }

    /** Entries of all shards together, for some destinations; takes the parameters of {@link #bindRange}. */
    static String range(String destinations) {
        return RANGE + rowsOfRange(destinations) + ";";
    }

    /** The same, and tells where the range ends even if there is nothing in it. */
    private static String rangeAndItsEnd(String destinations) {
        return RANGE + "(" + rowsOfRange(destinations) + ") " + END_OF_RANGE + ";";
    }

    private static String rowsOfRange(String destinations) {
        return ROWS_OF_RANGE.formatted(PostgresReader.ENTRY.replace("o.payload", FITTING_PAYLOAD), destinations);
    }

    private static String scanning(String rows) {
        return withNulls(CURSORS + LOCKS + LEASES + AND + rows + WRITING + PAUSES);
    }

    private static String peeking(String rows) {
        return withNulls(CURSORS + LEASES + AND + rows + PAUSES);
    }

    private static String withNulls(String sql) {
        return sql.formatted(
                "NULL, ".repeat(EntryRows.COLUMN_COUNT - 3) + "NULL", PostgresReader.DUE_IN, PostgresLeases.GIVEN_HERE);
    }

    /** For the test of their plans. */
    List<String> scans() {
        return List.of(scan, peek, scanFitting);
    }

    /** For the test of its plan; takes the parameters of {@link #bindOne}. */
    String peekOne() {
        return peekOne;
    }

    /** For the test of its plan; takes the parameters of {@link #bindAll}. */
    String scanOfAll() {
        return scanAll;
    }

    Scan scan(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        Scan together = readAll(connection, scanAll, scanAll, scanOver, relay, cursors);
        if (together != null) {
            return together;
        }
        PostgresPages each = read(connection, scan, relay, cursors);
        // Where a page begins with a payload that is too large for its share it would never get any further.
        return (each.isStuck() ? read(connection, scanFitting, relay, cursors) : each).build();
    }

    /** The same, without the writers. */
    Scan peek(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        boolean below = cursors.stream().anyMatch(cursor -> cursor.lowWater() < cursor.position());
        Scan together = readAll(connection, below ? peekAll : peekRange, peekAll, peekOver, relay, cursors);
        if (together != null) {
            return together;
        }
        PostgresPages each = cursors.size() == 1
                ? readOne(connection, relay, cursors.get(0))
                : read(connection, peek, relay, cursors);
        return (each.isStuck() ? read(connection, scanFitting, relay, cursors) : each).build();
    }

    /**
     * By range, or null if it cannot be read so.
     *
     * @param dense for a range whose end is guessed
     * @param asking for one whose end is asked for
     * @param over the same, and tells where the range ends even if there is nothing in it but what is skipped: the scan goes on
     *             behind that
     */
    private @Nullable Scan readAll(
            Connection connection, String dense, String asking, String over, UUID relay, List<ScanCursor> cursors)
            throws SQLException {
        if (!Backlog.isWanted(cursors) || !PostgresStatements.readsArraysByIndex(connection)) {
            return null;
        }
        int most = Backlog.most(cursors);
        PostgresPages together = readAll(connection, dense, relay, cursors, most, Backlog.guess(cursors));
        boolean whole = cursors.get(0).skipped().isEmpty();
        if (together.isFull(most) || (whole ? together.isSparse(most) : together.isEmpty())) {
            together = readAll(connection, whole ? asking : over, relay, cursors, most, null);
        }
        return together.isWhole(most) ? together.build() : null;
    }

    private PostgresPages readAll(
            Connection connection, String sql, UUID relay, List<ScanCursor> cursors, int most, @Nullable Long end)
            throws SQLException {
        PostgresPages together = new PostgresPages(entryRows, cursors, true);
        try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
            if (sql.equals(peekRange)) {
                bindRangeAndLeases(statement, relay, cursors, most, end);
            } else {
                bindAll(statement, relay, cursors, most, end);
            }
            together.readRange(PostgresStatements.query(statement));
            together.read(PostgresStatements.next(statement));
        }
        return together;
    }

    private PostgresPages read(Connection connection, String sql, UUID relay, List<ScanCursor> cursors)
            throws SQLException {
        PostgresPages reading = new PostgresPages(entryRows, cursors, false);
        try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
            bindScan(statement, relay, cursors);
            reading.read(PostgresStatements.query(statement));
        }
        return reading;
    }

    private PostgresPages readOne(Connection connection, UUID relay, ScanCursor cursor) throws SQLException {
        PostgresPages reading = new PostgresPages(entryRows, List.of(cursor), false);
        try (PreparedStatement statement = PostgresStatements.prepare(connection, peekOne)) {
            bindOne(statement, relay, cursor);
            reading.readOne(PostgresStatements.query(statement));
        }
        return reading;
    }

    static void bindScan(PreparedStatement statement, UUID relay, List<ScanCursor> cursors) throws SQLException {
        bindCursors(statement, 1, cursors);
        statement.setObject(AFTER_CURSORS, relay);
    }

    static void bindOne(PreparedStatement statement, UUID relay, ScanCursor cursor) throws SQLException {
        statement.setObject(1, relay);
        statement.setShort(2, (short) cursor.shard());
        statement.setLong(3, cursor.lowWater());
        statement.setLong(4, cursor.position());
        SqlArrays.bind(statement, 5, "text", cursor.skipped().toArray());
        statement.setLong(6, cursor.maxBytes() / Math.max(cursor.limit(), 1));
        statement.setLong(7, cursor.position());
        statement.setInt(8, cursor.limit() + 1);
        statement.setShort(9, (short) cursor.shard());
    }

    static void bindAll(PreparedStatement statement, UUID relay, List<ScanCursor> cursors, int most, @Nullable Long end)
            throws SQLException {
        bindRange(statement, cursors, most, end);
        SqlArrays.bind(statement, DESTINATIONS, "text", cursors.get(0).skipped().toArray());
        bindCursors(statement, 11, cursors);
        statement.setObject(17, relay);
    }

    private static void bindRangeAndLeases(
            PreparedStatement statement, UUID relay, List<ScanCursor> cursors, int most, @Nullable Long end)
            throws SQLException {
        bindRange(statement, cursors, most, end);
        SqlArrays.bind(statement, DESTINATIONS, "text", cursors.get(0).skipped().toArray());
        statement.setObject(11, relay);
        bind(statement, 12, "smallint", cursors, cursor -> (short) cursor.shard());
    }

    /**
     * All but the {@link #DESTINATIONS}.
     *
     * @param end where the range ends; null: some shards are asked for that
     */
    static void bindRange(PreparedStatement statement, List<ScanCursor> cursors, int most, @Nullable Long end)
            throws SQLException {
        List<ScanCursor> asked = cursors.stream()
                .sorted(Comparator.comparingLong(ScanCursor::position))
                .limit(end == null ? 2 : 0)
                .toList();
        long share = Backlog.share(cursors);
        statement.setLong(1, end == null ? cursors.get(0).decided() : end);
        bind(statement, 2, "smallint", asked, cursor -> (short) cursor.shard());
        bind(statement, 3, "bigint", asked, ScanCursor::position);
        bind(statement, 4, "int", asked, ScanCursor::limit);
        statement.setLong(5, share);
        statement.setLong(6, share);
        bind(statement, 7, "smallint", cursors, cursor -> (short) cursor.shard());
        statement.setLong(8, Backlog.start(cursors));
        statement.setInt(10, most);
    }

    private static void bindCursors(PreparedStatement statement, int first, List<ScanCursor> cursors)
            throws SQLException {
        bind(statement, first, "smallint", cursors, cursor -> (short) cursor.shard());
        bind(statement, first + 1, "bigint", cursors, ScanCursor::lowWater);
        bind(statement, first + 2, "bigint", cursors, ScanCursor::position);
        bind(statement, first + 3, "int", cursors, ScanCursor::limit);
        bind(statement, first + 4, "bigint", cursors, ScanCursor::maxBytes);
        // Names of destinations hold no line feed.
        bind(statement, first + 5, "text", cursors, cursor -> String.join("\n", cursor.skipped()));
    }

    static <T> void bind(
            PreparedStatement statement, int parameter, String type, Collection<T> elements, Function<T, Object> value)
            throws SQLException {
        SqlArrays.bind(statement, parameter, type, elements.stream().map(value).toArray());
    }
}
