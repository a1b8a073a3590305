package dev.waybill.store.jdbc;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.replay.Replays;
import dev.waybill.store.jdbc.ReplayRows.Conditions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Replays as people see them, on every database; {@link ReplayRunner} carries them on. Thread-safe. */
final class JdbcReplays implements Replays {
    private final Tables tables;
    private final Transactor transactor;
    private final SqlSteps steps;
    private final ReplayRows replayRows;
    private final JdbcAudit audit;
    private final String byRequest;
    private final String byGeneration;
    private final String newest;
    private final String insert;
    private final String pause;
    private final String resume;
    private final String cancel;

    JdbcReplays(Tables tables, Transactor transactor, SqlSteps steps, JdbcAudit audit) {
        this.tables = tables;
        this.transactor = transactor;
        this.steps = steps;
        this.replayRows = new ReplayRows(steps);
        this.audit = audit;
        String now = steps.flavour().now();
        String select = "SELECT " + ReplayRows.COLUMNS + " FROM {replay} ";
        byRequest = tables.sql(select + "WHERE request = ?");
        byGeneration = tables.sql(select + "WHERE generation = ?");
        newest = tables.sql(select + "ORDER BY generation DESC LIMIT ?");
        insert = tables.sql("""
                INSERT INTO {replay} (request, from_at, to_at, destination, event_key, type, per_second, state, replayed,
                    position_seq, stepped_at, started_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'RUNNING', 0, 0, ?, ?)
                """);
        pause = tables.sql("UPDATE {replay} SET state = 'PAUSED' WHERE generation = ? AND state = 'RUNNING'");
        // The time that it was paused for is no credit.
        resume = tables.sql(
                "UPDATE {replay} SET state = 'RUNNING', stepped_at = %s WHERE generation = ? AND state = 'PAUSED'"
                        .formatted(now));
        cancel = tables.sql("""
                UPDATE {replay} SET state = 'CANCELLED', ended_at = %s
                WHERE generation = ? AND state IN ('RUNNING', 'PAUSED')
                """.formatted(now));
    }

    @Override
    public long count(ReplayFilter filter) {
        Conditions conditions = Conditions.of(filter);
        String sql = tables.sql(
                "SELECT count(*) FROM {history} WHERE delivered_at >= ? AND delivered_at < ? AND " + conditions.sql());
        List<Instant> span = List.of(filter.from(), filter.to());
        return transactor.read(
                "count what a replay would send",
                connection -> steps.number(connection, sql, conditions.between(span)));
    }

    @Override
    public Replay start(UUID request, ReplayFilter filter, int perSecond, Signature signature) {
        if (perSecond < 1) {
            throw new IllegalArgumentException(
                    "A replay of " + perSecond + " a second would never end; use 1 or more.");
        }
        boolean started = transactor.changeOnce("start a replay", connection -> {
            if (steps.first(connection, byRequest, replayRows::read, request).isPresent()) {
                return false;
            }
            insert(connection, request, filter, perSecond);
            Replay replay =
                    steps.all(connection, byRequest, replayRows::read, request).get(0);
            record(connection, Action.REPLAY, replay.generation(), signature);
            return true;
        });
        return transactor
                .autocommit(
                        "read a replay", connection -> steps.first(connection, byRequest, replayRows::read, request))
                .orElseThrow(() -> new IllegalStateException("Replay " + request + " is gone, started: " + started));
    }

    private void insert(Connection connection, UUID request, ReplayFilter filter, int perSecond) throws SQLException {
        Instant now = steps.now(connection);
        // Checks that something is left of the span.
        ReplayFilter span = new ReplayFilter(
                filter.from(),
                filter.to().isAfter(now) ? now : filter.to(),
                filter.destination(),
                filter.key(),
                filter.type());
        steps.update(
                connection,
                insert,
                request,
                span.from(),
                span.to(),
                span.destination(),
                span.key(),
                span.type(),
                perSecond,
                now,
                now);
    }

    @Override
    public Optional<Replay> find(int generation) {
        return transactor.autocommit(
                "read replay " + generation,
                connection -> steps.first(connection, byGeneration, replayRows::read, generation));
    }

    @Override
    public List<Replay> list(int limit) {
        return transactor.autocommit(
                "list replays", connection -> steps.all(connection, newest, replayRows::read, limit));
    }

    @Override
    public boolean pause(int generation, Signature signature) {
        return decide("pause", generation, pause, Action.PAUSE_REPLAY, signature);
    }

    @Override
    public boolean resume(int generation, Signature signature) {
        return decide("resume", generation, resume, Action.RESUME_REPLAY, signature);
    }

    @Override
    public boolean cancel(int generation, Signature signature) {
        return decide("cancel", generation, cancel, Action.CANCEL_REPLAY, signature);
    }

    private boolean decide(String verb, int generation, String sql, Action action, Signature signature) {
        return transactor.change(verb + " replay " + generation, connection -> {
            if (steps.update(connection, sql, generation) == 0) {
                return false;
            }
            record(connection, action, generation, signature);
            return true;
        });
    }

    private void record(Connection connection, Action action, int generation, Signature signature) throws SQLException {
        audit.record(connection, action, "replay " + generation, null, signature);
    }
}
