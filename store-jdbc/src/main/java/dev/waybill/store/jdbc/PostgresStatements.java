package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Prepares the statements of a relay with the settings that they need. Immutable and thread-safe.
 *
 * <p>The settings go in front of each statement as a first one in the same round trip. PostgreSQL runs both in one
 * implicit transaction (the driver sends a single Sync), the settings are local to it and end with it: nothing to
 * restore on a pooled connection, nothing that PgBouncer could mix up, and no extra round trip.
 */
final class PostgresStatements {
    private static final int ARRAYS_BY_INDEX = 17;

    private final Tables tables;
    private final String settings;

    PostgresStatements(Tables tables, Duration timeout) {
        this.tables = tables;
        // statement_timeout: on the server, because a frozen relay cannot cancel; its statement must not hold lease
        // rows. enable_*, jit, parallel: every statement here is meant to go through an index for at most a batch of
        // rows. With lagging statistics the planner would rather read the whole table once; and disabled nodes inflate
        // the cost that starts the JIT. plan_cache_mode: a plan made when the queue was empty is useless a minute
        // later, and statistics always lag.
        this.settings = """
                SELECT set_config('statement_timeout', '%d', true),
                    set_config('plan_cache_mode', 'force_custom_plan', true),
                    set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
                    set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
                    set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true);
                """.formatted(timeout.toMillis());
    }

    Tables tables() {
        return tables;
    }

    /** A statement as {@link #prepare} takes it. */
    String withSettings(String sql) {
        return settings + tables.sql(sql);
    }

    /**
     * The same for a statement with only one plan that makes sense, whatever is in the tables: it is planned once for each
     * session. To plan the scan anew would take five times as long as to run it.
     */
    String withOnePlan(String sql) {
        return withSettings(sql).replace("force_custom_plan", "force_generic_plan");
    }

    /** The same, through bitmaps of indexes where no order is asked for, and through indexes alone where one is. */
    String withBitmaps(String sql) {
        return withOnePlan(sql)
                .replace(
                        "set_config('enable_bitmapscan', 'off', true)",
                        "set_config('enable_indexscan', 'off', true), set_config('enable_sort', 'off', true)");
    }

    /**
     * Whether the server looks up an array in the second column of an index as one search (since 17). One that does not may take
     * the array for a filter, and with statistics of an empty table read a whole shard through it.
     */
    static boolean readsArraysByIndex(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= ARRAYS_BY_INDEX;
    }

    static PreparedStatement prepare(Connection connection, String withSettings) throws SQLException {
        return connection.prepareStatement(withSettings);
    }

    /** Runs a prepared pair and answers the rows of its second statement; closed with the statement. */
    static ResultSet query(PreparedStatement pair) throws SQLException {
        pair.execute();
        return next(pair);
    }

    /** The rows of the next statement, where more than one follows the settings; those before are closed. */
    static ResultSet next(PreparedStatement several) throws SQLException {
        if (!several.getMoreResults()) {
            throw new SQLException("The driver answered no rows for a statement that has some");
        }
        return several.getResultSet();
    }

    /** Runs a prepared pair and answers how many rows its second statement changed. */
    static int update(PreparedStatement pair) throws SQLException {
        pair.execute();
        int changed = pair.getMoreResults() ? -1 : pair.getUpdateCount();
        if (changed < 0) {
            throw new SQLException("The driver answered no count for the second statement of a pair");
        }
        return changed;
    }
}
