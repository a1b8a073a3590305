package dev.waybill.store.jdbc;

import dev.waybill.deadletter.ReplayLimitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Dead letters that somebody had tried again, as they were then. Thread-safe.
 *
 * <p>Settles know nothing of them. What became of one is where its entry is now: dead again, still on its way, or gone because
 * it has arrived. An entry that is gone never comes back.
 */
final class RedrivenTable {
    // Not EXISTS: with old statistics PostgreSQL would rather read the whole outbox once than look for a few rows.
    private static final String IN_OUTBOX =
            "(SELECT o.seq FROM {outbox} o WHERE o.shard = d.shard AND o.seq = d.seq) IS NOT NULL";
    private static final String IN_GRAVEYARD = "(SELECT x.seq FROM {dead_letter} x WHERE x.seq = d.seq%s) IS NOT NULL";

    /** Conditions on the rows {@code d} of this table. */
    static final String IS_ON_ITS_WAY =
            "(" + IN_OUTBOX + " OR " + IN_GRAVEYARD.formatted(" AND x.state = 'WAITING'") + ")";

    static final String IS_GONE = "NOT (" + IN_OUTBOX + " OR " + IN_GRAVEYARD.formatted("") + ")";
    static final String IS_NOT_DEAD = "NOT " + IN_GRAVEYARD.formatted(" AND x.state <> 'WAITING'");

    private final SqlSteps steps;
    private final int maxReplays;
    private final String replays;
    private final String forget;
    private final String add;
    private final String unresolved;
    private final String resolve;
    private final String removeResolved;

    RedrivenTable(Tables tables, SqlSteps steps, int maxReplays) {
        this.steps = steps;
        this.maxReplays = maxReplays;
        String now = steps.flavour().now();
        replays = tables.sql("SELECT replays FROM {redriven} WHERE seq = ?");
        forget = tables.sql("DELETE FROM {redriven} WHERE seq = ?");
        add = tables.sql("""
                INSERT INTO {redriven} (%1$s, died_at, replays, redriven_at)
                SELECT %1$s, died_at, ?, %2$s FROM {dead_letter} WHERE seq = ?
                """.formatted(EntryRows.COLUMNS, now));
        unresolved = tables.sql("SELECT d.seq FROM {redriven} d WHERE d.resolved_at IS NULL AND " + IS_GONE
                + " ORDER BY d.seq LIMIT ?");
        resolve = tables.sql("UPDATE {redriven} SET resolved_at = %s WHERE seq = ?".formatted(now));
        removeResolved = steps.flavour().deleteSome(tables.name("redriven"), "resolved_at < ?");
    }

    /**
     * Counts one more replay of a dead letter, which is locked by the caller and still where it died.
     *
     * @throws ReplayLimitException if there were too many
     */
    void add(Connection connection, long sequence) throws SQLException {
        int before = steps.first(connection, replays, rows -> rows.getInt(1), sequence)
                .orElse(0);
        if (before >= maxReplays) {
            throw new ReplayLimitException(sequence, before);
        }
        forget(connection, sequence);
        steps.update(connection, add, before + 1, sequence);
    }

    void forget(Connection connection, long sequence) throws SQLException {
        steps.update(connection, forget, sequence);
    }

    /** Notes which ones have arrived, and removes those of which that was noted before a time; answers how many. */
    int clean(Connection connection, Instant before, int limit) throws SQLException {
        List<Long> gone = steps.all(connection, unresolved, rows -> rows.getLong(1), limit);
        for (long sequence : gone) {
            steps.update(connection, resolve, sequence);
        }
        return steps.update(connection, removeResolved, before, limit);
    }
}
