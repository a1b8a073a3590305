package dev.waybill.store.jdbc;

import dev.waybill.store.Housekeeping;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a store needs somebody to do now and then, on every database. Thread-safe. */
final class JdbcHousekeeping implements Housekeeping {
    private static final int BATCH = 1_000;
    private static final Duration REPLAY_RETENTION = Duration.ofDays(30);

    /** Keeps the history as long as it has to be kept; each database has its own way. Thread-safe. */
    interface HistoryKeeper {

        /** Removes a bounded portion, and prepares for what comes; answers how much was removed. */
        int clean();
    }

    private final Transactor transactor;
    private final SqlSteps steps;
    private final ReplayRunner replays;
    private final HistoryKeeper history;
    private final RedrivenTable redriven;
    private final ClaimTable claims;
    private final JdbcStoreConfig config;
    private final String oldDiscarded;
    private final String deleteDiscarded;
    private final String deleteReplays;

    JdbcHousekeeping(
            Tables tables,
            Transactor transactor,
            SqlSteps steps,
            ReplayRunner replays,
            HistoryKeeper history,
            RedrivenTable redriven,
            ClaimTable claims,
            JdbcStoreConfig config) {
        this.transactor = transactor;
        this.steps = steps;
        this.replays = replays;
        this.history = history;
        this.redriven = redriven;
        this.claims = claims;
        this.config = config;
        oldDiscarded = tables.sql("""
                SELECT seq FROM {dead_letter} WHERE state = 'DISCARDED' AND decided_at < ? ORDER BY seq LIMIT ?
                """);
        deleteDiscarded = tables.sql("DELETE FROM {dead_letter} WHERE seq = ? AND state = 'DISCARDED'");
        deleteReplays = tables.sql("DELETE FROM {replay} WHERE state IN ('DONE', 'CANCELLED') AND ended_at < ?");
    }

    @Override
    public int advanceReplays() {
        return replays.advance();
    }

    @Override
    public boolean hasRunningReplays() {
        return replays.hasRunning();
    }

    @Override
    public int clean() {
        return history.clean()
                + transactor.autocommit("remove what was kept long enough", this::cleanTables)
                + transactor.change("remove dead letters that were resolved", this::cleanRedriven)
                + transactor.change("remove what consumers did long ago", this::cleanInbox);
    }

    private int cleanRedriven(Connection connection) throws SQLException {
        return redriven.clean(connection, steps.now(connection).minus(config.decidedRetention()), BATCH);
    }

    private int cleanInbox(Connection connection) throws SQLException {
        steps.flavour().preferIndexes(connection);
        Instant end = steps.now(connection).minus(config.inboxRetention());
        return claims.removeBefore(connection, end, BATCH);
    }

    private int cleanTables(Connection connection) throws SQLException {
        Instant now = steps.now(connection);
        List<Long> discarded = steps.all(
                connection, oldDiscarded, rows -> rows.getLong(1), now.minus(config.decidedRetention()), BATCH);
        int removed = 0;
        for (long sequence : discarded) {
            // First: without its dead letter, one that was tried again and discarded then would seem to have arrived.
            redriven.forget(connection, sequence);
            removed += steps.update(connection, deleteDiscarded, sequence);
        }
        return removed + steps.update(connection, deleteReplays, now.minus(REPLAY_RETENTION));
    }
}
