package dev.waybill.store.jdbc;

import dev.waybill.replay.Replay;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.ReplayRows.Conditions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries replays on: copies the next deliveries from the history into the outbox. Thread-safe, and any number of
 * processes may do it at once.
 *
 * <p>A step is one transaction that holds the replay's row: the copies, how far it has come, and the time that it has
 * used of its rate are written together or not at all.
 */
final class ReplayRunner {
    private static final int LARGEST_BATCH = 5_000;
    // A filter that fits few deliveries must not read a whole day in one step.
    private static final int LOOKED_AT = 20_000;
    private static final long SECOND = Duration.ofSeconds(1).toNanos() / 1_000;
    private static final String AFTER = "delivered_at >= ? AND (delivered_at > ? OR seq > ?)";

    private final Tables tables;
    private final Transactor transactor;
    private final SqlSteps steps;
    private final ReplayRows replayRows;
    private final Duration settleLimit;
    private final String running;
    private final String lock;
    private final String read;
    private final String endOfLook;
    private final String update;

    // A step that takes too long, because payloads are large, is rolled back: the next one is smaller.
    private volatile int batch = LARGEST_BATCH;

    /**
     * A runner.
     *
     * @param settleLimit how long a settle may take, until others see what it wrote
     */
    ReplayRunner(Tables tables, Transactor transactor, SqlSteps steps, Duration settleLimit) {
        this.tables = tables;
        this.transactor = transactor;
        this.steps = steps;
        this.replayRows = new ReplayRows(steps);
        this.settleLimit = settleLimit;
        running = tables.sql("SELECT generation FROM {replay} WHERE state = 'RUNNING' ORDER BY generation");
        lock = tables.sql("SELECT generation FROM {replay} WHERE generation = ? FOR UPDATE SKIP LOCKED");
        read = tables.sql("SELECT %s, position_seq, stepped_at, %s FROM {replay} WHERE generation = ?"
                .formatted(ReplayRows.COLUMNS, steps.flavour().now()));
        endOfLook = tables.sql("""
                SELECT delivered_at, seq FROM {history} WHERE %s AND delivered_at < ?
                ORDER BY delivered_at, seq LIMIT 1 OFFSET %d
                """.formatted(AFTER, LOOKED_AT - 1));
        update = tables.sql("""
                UPDATE {replay} SET position_at = ?, position_seq = ?, stepped_at = ?, replayed = replayed + ?, state = ?,
                    ended_at = ?
                WHERE generation = ?
                """);
    }

    boolean hasRunning() {
        return !running().isEmpty();
    }

    private List<Integer> running() {
        return transactor.autocommit(
                "look for replays", connection -> steps.all(connection, running, rows -> rows.getInt(1)));
    }

    int advance() {
        int copied = 0;
        for (int generation : running()) {
            try {
                copied +=
                        transactor.change("carry on replay " + generation, connection -> step(connection, generation));
                batch = Math.min(LARGEST_BATCH, 2 * batch);
            } catch (StoreException e) {
                batch = Math.max(1, batch / 4);
                throw e;
            }
        }
        return copied;
    }

    /** A place in the history, after which or up to which is read. */
    private record Position(Instant time, long sequence) {}

    /**
     * What a step begins with.
     *
     * @param steppedAt what came before this time has been used: every entry uses its share of a second
     */
    private record Step(Replay replay, Position position, Instant steppedAt, Instant now) {

        /** What a second is worth is the most that can be saved up: after a break there is no flood. */
        Step {
            if (worth(replay, steppedAt, now) > replay.perSecond()) {
                steppedAt = now.minusSeconds(1);
            }
        }

        private static long worth(Replay replay, Instant steppedAt, Instant now) {
            long micros = Math.min(2 * SECOND, ChronoUnit.MICROS.between(steppedAt, now));
            return Math.max(0, micros) * replay.perSecond() / SECOND;
        }

        int allowance(int most) {
            return (int) Math.min(most, worth(replay, steppedAt, now));
        }

        /** Exact, so that the rate is kept whoever steps and however often. */
        Instant steppedAt(int copied) {
            long used = (copied * SECOND + replay.perSecond() - 1) / replay.perSecond();
            return steppedAt.plus(used, ChronoUnit.MICROS);
        }
    }

    private int step(Connection connection, int generation) throws SQLException {
        if (steps.first(connection, lock, rows -> true, generation).isEmpty()) {
            return 0;
        }
        Step step = steps.all(connection, read, this::readStep, generation).get(0);
        int allowance = step.allowance(batch);
        if (step.replay.state() != Replay.State.RUNNING || allowance == 0) {
            return 0;
        }
        Instant to = step.replay.filter().to();
        Instant complete = steps.flavour().historyCompleteUntil(connection, settleLimit);
        boolean last = !to.isAfter(complete);
        Instant until = last ? to : complete;
        if (!last && !until.isAfter(step.position.time)) {
            return 0;
        }
        Conditions conditions = Conditions.of(step.replay.filter());
        Optional<Position> end = find(connection, step, until, conditions, allowance);
        boolean exhausted = end.isEmpty();
        Position reached = end.orElse(new Position(until, 0));
        int copied = copy(connection, step, reached, conditions);
        boolean done = exhausted && last;
        steps.update(
                connection,
                update,
                reached.time,
                reached.sequence,
                // Waiting for deliveries is no credit.
                exhausted ? step.now : step.steppedAt(copied),
                copied,
                done ? Replay.State.DONE : Replay.State.RUNNING,
                done ? step.now : null,
                generation);
        return copied;
    }

    private Step readStep(ResultSet rows) throws SQLException {
        Replay replay = replayRows.read(rows);
        Instant position = replay.position();
        return new Step(
                replay,
                new Position(position == null ? replay.filter().from() : position, rows.getLong(14)),
                steps.time(rows, 15),
                steps.time(rows, 16));
    }

    /** Where this step ends: at the last delivery that is allowed, or that may be looked at. Empty: at the end of all. */
    private Optional<Position> find(
            Connection connection, Step step, Instant until, Conditions conditions, int allowance) throws SQLException {
        String lastAllowed = tables.sql("""
                SELECT delivered_at, seq FROM (
                    SELECT delivered_at, seq, destination, event_key, type, replay FROM {history}
                    WHERE %s AND delivered_at < ? ORDER BY delivered_at, seq LIMIT %d
                ) looked_at
                WHERE %s ORDER BY delivered_at, seq LIMIT 1 OFFSET ?
                """.formatted(AFTER, LOOKED_AT, conditions.sql()));
        List<Object> range = new ArrayList<>(after(step.position));
        range.add(until);
        Optional<Position> found =
                steps.first(connection, lastAllowed, this::position, conditions.between(range, allowance - 1));
        return found.isPresent() ? found : steps.first(connection, endOfLook, this::position, range.toArray());
    }

    private Position position(ResultSet rows) throws SQLException {
        return new Position(steps.time(rows, 1), rows.getLong(2));
    }

    private static List<Object> after(Position position) {
        return List.of(position.time, position.time, position.sequence);
    }

    /**
     * The copies are new rows of the outbox. An INSERT of a sorted SELECT draws the numbers in the order of the rows,
     * on every database that there is a dialect for.
     */
    private int copy(Connection connection, Step step, Position end, Conditions conditions) throws SQLException {
        String copy = tables.sql("""
                INSERT INTO {outbox} (shard, id, destination, event_key, type, version, content_type, headers, payload,
                    occurred_at, inflated_size, replay)
                SELECT shard, id, destination, event_key, type, version, content_type, headers, payload, occurred_at,
                    inflated_size, %d
                FROM {history}
                WHERE %s AND delivered_at <= ? AND (delivered_at < ? OR seq <= ?) AND %s
                ORDER BY delivered_at, seq
                """.formatted(step.replay.generation(), AFTER, conditions.sql()));
        List<Object> range = new ArrayList<>(after(step.position));
        range.addAll(List.of(end.time, end.time, end.sequence));
        steps.flavour().announceAppend(connection);
        return steps.update(connection, copy, conditions.between(range));
    }
}
