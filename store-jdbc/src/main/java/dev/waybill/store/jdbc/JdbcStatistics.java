package dev.waybill.store.jdbc;

import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts what is in the tables, in one snapshot. Thread-safe. */
final class JdbcStatistics {
    private static final Duration LATELY = Duration.ofMinutes(1);

    private final SqlSteps steps;
    private final Duration deliveredWithin;
    private final String outbox;
    private final String graveyard;
    private final String parked;
    private final String paused;
    private final String delivered;
    private final String owned;
    private final String live;

    JdbcStatistics(Tables tables, SqlSteps steps, Duration retention) {
        this.steps = steps;
        deliveredWithin = retention.compareTo(LATELY) < 0 ? retention : LATELY;
        String now = steps.flavour().now();
        // A row does not say when it was inserted: what is due at once waits since its event occurred. For a copy of a
        // replay that would be the age of the original, so copies have no age.
        outbox = tables.sql("""
                SELECT destination, count(*),
                    SUM(CASE WHEN attempts = 0 AND COALESCE(retry_at, available_at) > %1$s THEN 1 ELSE 0 END),
                    SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END),
                    MIN(CASE WHEN COALESCE(replay, 0) = 0 AND (attempts > 0 OR COALESCE(retry_at, available_at) IS NULL OR COALESCE(retry_at, available_at) <= %1$s)
                        THEN COALESCE(available_at, occurred_at) END)
                FROM {outbox} GROUP BY destination
                """.formatted(now));
        graveyard = tables.sql("""
                SELECT destination, SUM(CASE WHEN state = 'DEAD' THEN 1 ELSE 0 END),
                    SUM(CASE WHEN state = 'WAITING' THEN 1 ELSE 0 END)
                FROM {dead_letter} WHERE state IN ('DEAD', 'WAITING') GROUP BY destination
                """);
        parked = tables.sql("SELECT destination, count(*) FROM {parked_key} GROUP BY destination");
        paused = tables.sql("SELECT destination FROM {pause}");
        delivered =
                tables.sql("SELECT destination, count(*) FROM {history} WHERE delivered_at > ? GROUP BY destination");
        owned = tables.sql("SELECT count(*) FROM {lease} WHERE owner IS NOT NULL AND expires_at > " + now);
        live = tables.sql("SELECT count(*) FROM {relay} WHERE expires_at > " + now);
    }

    Statistics read(Connection snapshot) throws SQLException {
        Map<String, Counts> counts = new TreeMap<>();
        Instant now = steps.now(snapshot);
        each(snapshot, counts, outbox, (of, rows) -> {
            of.pending = rows.getLong(2);
            of.delayed = rows.getLong(3);
            of.failing = rows.getLong(4);
            of.oldestAge = Optional.ofNullable(steps.flavour().time(rows, 5)).map(since -> age(since, now));
        });
        each(snapshot, counts, graveyard, (of, rows) -> {
            of.dead = rows.getLong(2);
            of.waiting = rows.getLong(3);
        });
        each(snapshot, counts, parked, (of, rows) -> of.parkedKeys = rows.getLong(2));
        each(snapshot, counts, paused, (of, rows) -> of.paused = true);
        if (!deliveredWithin.isZero()) {
            steps.flavour().preferIndexes(snapshot);
            each(snapshot, counts, delivered, (of, rows) -> of.delivered = rows.getLong(2), now.minus(deliveredWithin));
        }
        List<OfDestination> destinations = new ArrayList<>();
        counts.forEach((destination, of) -> destinations.add(of.named(destination)));
        return new Statistics(
                destinations, deliveredWithin, (int) steps.number(snapshot, live), (int) steps.number(snapshot, owned));
    }

    private static Duration age(Instant since, Instant now) {
        return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
    }

    private interface Column {
        void read(Counts of, ResultSet rows) throws SQLException;
    }

    private void each(Connection snapshot, Map<String, Counts> counts, String sql, Column column, Object... parameters)
            throws SQLException {
        steps.all(
                snapshot,
                sql,
                rows -> {
                    column.read(counts.computeIfAbsent(rows.getString(1), name -> new Counts()), rows);
                    return true;
                },
                parameters);
    }

    /** What has been counted of a destination so far. */
    private static final class Counts {
        private long pending;
        private long delayed;
        private long failing;
        private Optional<Duration> oldestAge = Optional.empty();
        private long delivered;
        private long dead;
        private long waiting;
        private long parkedKeys;
        private boolean paused;

        OfDestination named(String destination) {
            return new OfDestination(
                    destination, pending, delayed, failing, oldestAge, delivered, dead, waiting, parkedKeys, paused);
        }
    }
}
