package dev.waybill.store.jdbc;

import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A history without partitions: what is too old is deleted in batches, each a transaction of its own. Thread-safe. */
final class PlainHistory implements HistoryKeeper {
    private static final int BATCH = 1_000;

    private final Transactor transactor;
    private final SqlSteps steps;
    private final Duration retention;
    private final String neededFrom;
    private final String endOfBatch;
    private final String delete;

    PlainHistory(Tables tables, Transactor transactor, SqlSteps steps, Duration retention) {
        this.transactor = transactor;
        this.steps = steps;
        this.retention = retention;
        neededFrom = tables.sql(
                "SELECT MIN(COALESCE(position_at, from_at)) FROM {replay} WHERE state IN ('RUNNING', 'PAUSED')");
        endOfBatch = tables.sql("""
                SELECT delivered_at, seq FROM {history} WHERE delivered_at < ? ORDER BY delivered_at, seq
                LIMIT 1 OFFSET %d
                """.formatted(BATCH - 1));
        delete = tables.sql("""
                DELETE FROM {history} WHERE delivered_at <= ? AND (delivered_at < ? OR seq <= ?)
                """);
    }

    private record End(Instant time, long sequence) {}

    @Override
    public int clean() {
        return transactor.change("remove old deliveries", connection -> {
            Instant before = steps.now(connection).minus(retention);
            for (Instant needed : neededFrom(connection)) {
                before = needed.isBefore(before) ? needed : before;
            }
            Optional<End> batch = steps.first(connection, endOfBatch, this::end, before);
            End end = batch.orElse(new End(before, 0));
            return steps.update(connection, delete, end.time, end.time, end.sequence);
        });
    }

    private List<Instant> neededFrom(Connection connection) throws SQLException {
        return steps
                .all(
                        connection,
                        neededFrom,
                        rows -> Optional.ofNullable(steps.flavour().time(rows, 1)))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private End end(ResultSet rows) throws SQLException {
        return new End(steps.time(rows, 1), rows.getLong(2));
    }
}
