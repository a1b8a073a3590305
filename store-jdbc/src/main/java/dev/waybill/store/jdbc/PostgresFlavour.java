package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, in short transactions. */
final class PostgresFlavour extends StandardFlavour {
    // Nobody stays in the middle of such a transaction on purpose: a process that was frozen there loses its session,
    // and
    // with it the lease row that it holds.
    private static final String LIMITS = """
            SELECT set_config('statement_timeout', '%1$d', true),
                set_config('idle_in_transaction_session_timeout', '%1$d', true),
                set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)""";
    private static final String THROUGH_INDEXES = "set_config('enable_seqscan', 'off', true)";
    // A bitmap has no order: a replay that reads some hundreds of a day's deliveries would sort them all.
    private static final String NO_BITMAPS = ", set_config('enable_bitmapscan', 'off', true)";

    // The only way to read a BRIN index.
    private static final String BITMAPS = ", set_config('enable_bitmapscan', 'on', true)";

    private final String complete;

    PostgresFlavour(Tables tables) {
        // A settle holds its lock on the history from its parse to the end of its commit, which may wait for a disk or
        // a
        // standby for longer than any statement may take. Who may not see when another user's transaction began waits
        // for
        // its end.
        complete = tables.sql("""
                SELECT LEAST(
                    statement_timestamp() - ? * interval '1 microsecond',
                    (SELECT min(COALESCE(a.xact_start, '-infinity'::timestamptz)) FROM pg_locks l
                        LEFT JOIN pg_stat_activity a ON a.pid = l.pid
                        WHERE l.locktype = 'relation' AND l.relation = '{history}'::regclass
                            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                            AND l.mode = 'RowExclusiveLock' AND l.pid <> pg_backend_pid())
                )
                """);
    }

    /** As text, which the server reads quickly: with a time of its own every statement makes a calendar in the driver. */
    @Override
    public void bind(PreparedStatement statement, int parameter, @Nullable Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(parameter, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(parameter, time.toString(), Types.OTHER);
        }
    }

    @Override
    public String now() {
        return "statement_timestamp()";
    }

    @Override
    public String microsUntil(String time) {
        return "(EXTRACT(EPOCH FROM " + time + " - statement_timestamp()) * 1000000)::bigint";
    }

    @Override
    public String later() {
        return "statement_timestamp() + CAST(? AS bigint) * interval '1 microsecond'";
    }

    @Override
    public String aside() {
        return " WHERE destination = ? AND event_key = ? AND seq > ? AND replay IS NOT NULL"
                + " ORDER BY destination, event_key, seq";
    }

    @Override
    public String unlessThere() {
        return " ON CONFLICT DO NOTHING";
    }

    /** By their places in the table: DELETE has no limit here. */
    @Override
    public String deleteSome(String table, String condition) {
        return "DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$s LIMIT ?))"
                .formatted(table, condition);
    }

    @Override
    void begin(Connection transaction, Duration limit) throws SQLException {
        execute(transaction, LIMITS.formatted(limit.toMillis()) + ", " + THROUGH_INDEXES + NO_BITMAPS);
    }

    @Override
    public void preferIndexes(Connection transaction) throws SQLException {
        execute(transaction, "SELECT " + THROUGH_INDEXES + BITMAPS);
    }

    @Override
    <R> R snapshot(Connection transaction, Duration limit, Sessions.Work<R> reading) throws SQLException {
        execute(
                transaction,
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; " + LIMITS.formatted(limit.toMillis()));
        return reading.on(transaction);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The INSERT locks the table before it draws the first number; that is enough. */
    @Override
    public void announceAppend(Connection transaction) {}

    @Override
    public Instant historyCompleteUntil(Connection transaction, Duration settleLimit) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(complete)) {
            statement.setLong(1, EntryRows.toMicros(settleLimit));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return Objects.requireNonNull(time(rows, 1));
            }
        }
    }
}
