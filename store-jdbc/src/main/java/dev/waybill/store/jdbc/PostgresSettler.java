package dev.waybill.store.jdbc;

import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * How a relay changes entries, on PostgreSQL: one autocommit statement for each kind of change. Thread-safe.
 *
 * <p>Every statement begins with the fence: it locks the lease rows in shared mode, in the order of shards, and joins
 * what it changes with the rows that it got. If somebody takes the shard over at that moment, the statement waits, and
 * then READ COMMITTED compares owner and epoch with the row as it is now. An unlocked EXISTS would compare them with
 * the row as it was when the statement began, and let a relay through that has lost the shard since.
 *
 * <p>No statement joins the outbox with its batch. After the queue was drained the planner takes it for empty, whatever is
 * in it by now, and would compare every row of it with the whole batch. So deliveries are found by an array, which is a search
 * of the index and no join; others one by one, in a subquery that cannot be turned around, and changed by their place in the
 * table, which is theirs as long as the statement runs.
 */
final class PostgresSettler implements EntrySettler {
    private static final String FENCE = """
            fence AS MATERIALIZED (
                SELECT l.shard FROM {lease} l
                WHERE l.owner = ? AND l.epoch = (?::bigint[])[l.shard + 1] AND %s ORDER BY l.shard FOR SHARE
            )""".formatted(PostgresLeases.GIVEN_HERE);
    // A cancel that is not yet committed holds the row of its event. Waiting for it would make the whole relay wait for
    // a
    // transaction of the application: such a row is left as it is. If the cancel commits, it is gone; if not, the event
    // is delivered again.
    private static final String UNLOCKED = """
            , unlocked AS MATERIALIZED (
                SELECT d.*, o.tid FROM d CROSS JOIN LATERAL (
                    SELECT o.ctid AS tid FROM {outbox} o WHERE o.shard = d.shard AND o.seq = d.seq
                    FOR UPDATE SKIP LOCKED
                ) o
                WHERE d.shard = ANY (ARRAY(SELECT shard FROM fence))
            )
            """;
    // A bitmap goes through the pages of the table one by one, and the rows of a batch are side by side there.
    private static final String DELIVERED = """
            DELETE FROM {outbox} o
            WHERE o.shard = ANY (ARRAY(SELECT shard FROM fence)) AND o.seq = ANY (?::bigint[]) AND o.available_at IS NULL
            """;
    private static final String DELIVERED_EACH = """
            DELETE FROM {outbox} o WHERE o.ctid = ANY (ARRAY(
                SELECT o.tid FROM unnest(?::smallint[], ?::bigint[]) AS d (shard, seq) CROSS JOIN LATERAL (
                    SELECT o.ctid AS tid FROM {outbox} o
                    WHERE o.shard = d.shard AND o.seq = d.seq AND o.available_at IS NULL OFFSET 0
                ) o
                WHERE d.shard = ANY (ARRAY(SELECT shard FROM fence))
            ))
            """;
    // What was delivered moves in the statement that removes it: no round trip more, and never in both places or none.
    private static final String KEPT =
            "INSERT INTO {history} (%1$s, delivered_at) SELECT %1$s, statement_timestamp() FROM gone"
                    .formatted(EntryRows.COLUMNS);
    private static final int AFTER_FENCE = 3;
    private static final int AFTER_KEY = AFTER_FENCE + 2;
    // The day may change between making a partition and the next try.
    private static final int TRIES = 3;

    private final Sessions sessions;
    private final PostgresPartitions partitions;
    private final String delivered;
    private final String deliveredEach;
    private final String deliveredDelayed;
    private final String retried;
    private final String died;
    private final String hold;
    private final String restore;

    PostgresSettler(
            Sessions sessions, PostgresStatements statements, PostgresPartitions partitions, Duration retention) {
        this.sessions = sessions;
        this.partitions = partitions;
        boolean keeps = !retention.isZero();
        delivered = statements.withBitmaps(delivered(DELIVERED, keeps));
        deliveredEach = statements.withOnePlan(delivered(DELIVERED_EACH, keeps));
        deliveredDelayed = statements.withSettings("WITH " + FENCE
                + ", d AS MATERIALIZED (SELECT * FROM unnest(?::smallint[], ?::bigint[]) AS d (shard, seq))"
                + UNLOCKED + """
                , gone AS (
                    DELETE FROM {outbox} o WHERE o.ctid = ANY (ARRAY(SELECT tid FROM unlocked)) RETURNING o.*
                )
                """ + (keeps ? ", kept AS (" + KEPT + ")" : "") + "SELECT shard FROM fence");
        retried = statements.withSettings("WITH " + FENCE + """
                , d AS MATERIALIZED (
                    SELECT * FROM unnest(?::smallint[], ?::bigint[], ?::text[], ?::bigint[]) AS d (shard, seq, error, micros)
                )""" + UNLOCKED + """
                , later AS (
                    UPDATE {outbox} o SET attempts = o.attempts + 1, last_error = u.error,
                        retry_at = clock_timestamp() + u.micros * interval '1 microsecond'
                    FROM unlocked u WHERE o.ctid = ANY (ARRAY(SELECT tid FROM unlocked)) AND o.ctid = u.tid
                )
                SELECT shard FROM fence
                """);
        // A key that is parked already keeps its head; one that somebody paused, or lets go on, gets one. Of several
        // deaths of a key the first is its head.
        died = statements.withSettings("WITH " + FENCE + """
                , d AS MATERIALIZED (
                    SELECT * FROM unnest(?::smallint[], ?::bigint[], ?::text[], ?::boolean[]) AS d (shard, seq, error, park)
                )""" + UNLOCKED + """
                , gone AS (
                    DELETE FROM {outbox} o USING unlocked u
                    WHERE o.ctid = ANY (ARRAY(SELECT tid FROM unlocked)) AND o.ctid = u.tid
                    RETURNING o.*, u.error, u.park
                ), dead AS (
                    INSERT INTO {dead_letter} (%1$s, state, died_at)
                    SELECT seq, shard, id, destination, event_key, type, version, content_type, headers, payload,
                        occurred_at, available_at, attempts + 1, error, replay, inflated_size, 'DEAD',
                        statement_timestamp() FROM gone
                ), parked AS (
                    INSERT INTO {parked_key} AS p (destination, event_key, shard, state, dead_seq, parked_at)
                    SELECT DISTINCT ON (destination, event_key) destination, event_key, shard, 'PARKED', seq,
                        statement_timestamp()
                    FROM gone WHERE park AND event_key IS NOT NULL ORDER BY destination, event_key, seq
                    ON CONFLICT (destination, event_key)
                        DO UPDATE SET state = 'PARKED', dead_seq = excluded.dead_seq WHERE p.dead_seq IS NULL
                )
                SELECT shard FROM fence
                """.formatted(EntryRows.COLUMNS));
        // Locking the key keeps a release out until the entries wait, so that it finds all of them.
        hold = statements.withSettings("WITH " + FENCE + """
                , parked AS MATERIALIZED (
                    SELECT p.shard, p.destination, p.event_key FROM {parked_key} p JOIN fence f ON p.shard = f.shard
                    WHERE p.destination = ? AND p.event_key = ? AND p.state = 'PARKED'
                    FOR SHARE OF p
                ), head AS MATERIALIZED (
                    SELECT o.shard, o.seq FROM parked p CROSS JOIN LATERAL (
                        SELECT o.shard, o.seq FROM {outbox} o
                        WHERE o.shard = p.shard AND o.seq BETWEEN ? AND ?
                            AND o.destination = p.destination AND o.event_key = p.event_key
                        ORDER BY o.seq LIMIT ?
                    ) o
                ), gone AS (
                    DELETE FROM {outbox} o
                    WHERE o.shard = (SELECT shard FROM fence) AND o.seq = ANY (ARRAY(SELECT seq FROM head))
                    RETURNING o.*
                ), waiting AS (
                    INSERT INTO {dead_letter} (%1$s, state)
                    SELECT %1$s, 'WAITING' FROM gone
                )
                SELECT (SELECT count(*) FROM fence), 1, (SELECT count(*) FROM head)
                """.formatted(EntryRows.COLUMNS));
        // Counted by what was found, not by what could be moved: one of those may be cancelled at this moment, and more
        // may wait behind them. The key becomes free in the statement that puts its last entry back, or a crash in
        // between would leave it
        // parked for ever. It must be releasing in the locked row and in the snapshot: if it was released in between,
        // the snapshot does not show its head waiting yet, and freeing the key would strand that one.
        restore = statements.withSettings("WITH " + FENCE + """
                , key AS MATERIALIZED (
                    SELECT p.destination, p.event_key, p.state = 'RELEASING' AND s.state = 'RELEASING' AS releasing
                    FROM {parked_key} p JOIN fence f ON p.shard = f.shard
                    JOIN {parked_key} s ON s.destination = p.destination AND s.event_key = p.event_key
                    WHERE p.destination = ? AND p.event_key = ?
                    FOR UPDATE OF p
                ), head AS MATERIALIZED (
                    SELECT w.seq FROM key k CROSS JOIN LATERAL (
                        SELECT d.seq FROM {dead_letter} d
                        WHERE d.destination = k.destination AND d.event_key = k.event_key AND d.state = 'WAITING'
                        ORDER BY d.seq LIMIT ?
                    ) w
                    WHERE k.releasing
                ), gone AS (
                    DELETE FROM {dead_letter} d WHERE d.seq = ANY (ARRAY(SELECT seq FROM head)) RETURNING d.*
                ), back AS (
                    INSERT INTO {outbox} (%1$s) SELECT %1$s FROM gone
                ), freed AS (
                    DELETE FROM {parked_key} p USING key k
                    WHERE p.destination = k.destination AND p.event_key = k.event_key AND k.releasing
                        AND (SELECT count(*) FROM head) < ?
                )
                SELECT (SELECT count(*) FROM fence), (SELECT count(*) FROM key WHERE NOT releasing),
                    (SELECT count(*) FROM head)
                """.formatted(EntryRows.COLUMNS));
    }

    /** Counts what it changes. What was asked for and is not changed was delayed, is gone, or its lease is lost. */
    private static String delivered(String delete, boolean keeps) {
        return "WITH " + FENCE + (keeps ? ", gone AS (" + delete + " RETURNING o.*) " + KEPT : delete);
    }

    @Override
    public Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return Set.of();
        }
        List<Outcome> deliveredOnes = new ArrayList<>();
        List<Outcome.Retried> retriedOnes = new ArrayList<>();
        List<Outcome.Died> diedOnes = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Retried one) {
                retriedOnes.add(one);
            } else if (outcome instanceof Outcome.Died one) {
                diedOnes.add(one);
            } else {
                deliveredOnes.add(outcome);
            }
        }
        return sessions.autocommit("settle", connection -> {
            Settling settling = new Settling(connection, relay, leases);
            if (!deliver(settling, deliveredOnes)) {
                withPartition(
                        settling, () -> settling.apply(deliveredDelayed, deliveredOnes, PostgresSettler::bindEach));
            }
            settling.apply(retried, retriedOnes, (statement, ones) -> {
                bindEach(statement, ones);
                bind(statement, AFTER_FENCE + 2, "text", retriedOnes, one -> StoredText.error(one.error()));
                bind(statement, AFTER_FENCE + 3, "bigint", retriedOnes, one -> EntryRows.toMicros(one.after()));
            });
            settling.apply(died, diedOnes, (statement, ones) -> {
                bindEach(statement, ones);
                bind(statement, AFTER_FENCE + 2, "text", diedOnes, one -> StoredText.error(one.error()));
                bind(statement, AFTER_FENCE + 3, "boolean", diedOnes, one -> one.policy() == DeadLetterPolicy.PARK);
            });
            return settling.lost;
        });
    }

    /** The usual case: all were delivered at once and are there. Answers whether that is so. */
    private boolean deliver(Settling settling, List<Outcome> outcomes) throws SQLException {
        if (outcomes.isEmpty()) {
            return true;
        }
        return PostgresStatements.readsArraysByIndex(settling.connection)
                ? withPartition(settling, () -> settling.removes(delivered, outcomes, PostgresSettler::bindSequences))
                : withPartition(settling, () -> settling.removes(deliveredEach, outcomes, PostgresSettler::bindEach));
    }

    /** A statement that is run once or more. */
    private interface Step {
        boolean run() throws SQLException;
    }

    /** A statement that finds no partition for today has changed nothing: it is made, and the statement repeated. */
    private boolean withPartition(Settling settling, Step step) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return step.run();
            } catch (SQLException e) {
                if (attempt == TRIES || !PostgresPartitions.isMissing(e)) {
                    throw e;
                }
                partitions.createNow(settling.connection);
            }
        }
    }

    /** What a statement needs beside its fence. */
    private interface Parameters<T> {
        void bind(PreparedStatement statement, List<T> outcomes) throws SQLException;
    }

    private static void bindSequences(PreparedStatement statement, List<? extends Outcome> outcomes)
            throws SQLException {
        // Of plain numbers: the driver writes them as they are.
        statement.setObject(
                AFTER_FENCE, outcomes.stream().mapToLong(Outcome::sequence).toArray());
    }

    private static void bindEach(PreparedStatement statement, List<? extends Outcome> outcomes) throws SQLException {
        bind(statement, AFTER_FENCE, "smallint", outcomes, one -> (short) one.shard());
        bind(statement, AFTER_FENCE + 1, "bigint", outcomes, Outcome::sequence);
    }

    /** Applies the kinds of outcomes one by one; a shard that is lost for one of them is reported. */
    private static final class Settling {
        private final Connection connection;
        private final UUID relay;
        private final Collection<Lease> leases;
        private final Set<Integer> lost = new TreeSet<>();

        Settling(Connection connection, UUID relay, Collection<Lease> leases) {
            this.connection = connection;
            this.relay = relay;
            this.leases = leases;
        }

        /** Changes what is of shards that are held, and notes those that are not. */
        <T extends Outcome> boolean apply(String sql, List<T> outcomes, Parameters<T> parameters) throws SQLException {
            if (outcomes.isEmpty()) {
                return true;
            }
            try (PreparedStatement statement = prepare(sql, outcomes, parameters)) {
                Set<Integer> shards = new TreeSet<>();
                outcomes.forEach(outcome -> shards.add(outcome.shard()));
                ResultSet held = PostgresStatements.query(statement);
                while (held.next()) {
                    shards.remove(held.getInt(1));
                }
                lost.addAll(shards);
            }
            return true;
        }

        /** Whether the statement has removed all of them, so that their shards are held. */
        boolean removes(String sql, List<Outcome> outcomes, Parameters<Outcome> parameters) throws SQLException {
            try (PreparedStatement statement = prepare(sql, outcomes, parameters)) {
                return PostgresStatements.update(statement) == outcomes.size();
            }
        }

        private <T extends Outcome> PreparedStatement prepare(String sql, List<T> outcomes, Parameters<T> parameters)
                throws SQLException {
            boolean[] needed = new boolean[Shards.COUNT];
            outcomes.forEach(outcome -> needed[outcome.shard()] = true);
            PreparedStatement statement = PostgresStatements.prepare(connection, sql);
            try {
                bindFence(
                        statement,
                        leases.stream().filter(lease -> needed[lease.shard()]).toList(),
                        relay);
                parameters.bind(statement, outcomes);
                return statement;
            } catch (SQLException | RuntimeException e) {
                statement.close();
                throw e;
            }
        }
    }

    @Override
    public OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        return sessions.autocommit("hold the entries of a parked key", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, hold)) {
                bindKey(statement, relay, lease, stretch.key());
                statement.setLong(AFTER_KEY, stretch.from());
                statement.setLong(AFTER_KEY + 1, stretch.to());
                statement.setInt(AFTER_KEY + 2, limit);
                ResultSet rows = PostgresStatements.query(statement);
                rows.next();
                return rows.getInt(1) == 0 ? OptionalInt.empty() : OptionalInt.of(rows.getInt(3));
            }
        });
    }

    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        return sessions.autocommit("restore the entries of a key", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, restore)) {
                bindKey(statement, relay, lease, key);
                statement.setInt(AFTER_KEY, limit);
                statement.setInt(AFTER_KEY + 1, limit);
                ResultSet rows = PostgresStatements.query(statement);
                rows.next();
                boolean refused = rows.getInt(1) == 0 || rows.getInt(2) > 0;
                return refused ? OptionalInt.empty() : OptionalInt.of(rows.getInt(3));
            }
        });
    }

    private static void bindKey(PreparedStatement statement, UUID relay, Lease lease, OrderKey key)
            throws SQLException {
        bindFence(statement, List.of(lease), relay);
        statement.setString(AFTER_FENCE, key.destination());
        statement.setString(AFTER_FENCE + 1, key.key());
    }

    private static void bindFence(PreparedStatement statement, Collection<Lease> leases, UUID relay)
            throws SQLException {
        // By shard, null for those that the caller does not claim: no join, so that locking rechecks one row only.
        Object[] epochs = new Long[Shards.COUNT];
        leases.forEach(lease -> epochs[lease.shard()] = lease.epoch());
        statement.setObject(1, relay);
        SqlArrays.bind(statement, 2, "bigint", epochs);
    }

    private static <T> void bind(
            PreparedStatement statement, int parameter, String type, Collection<T> elements, Function<T, Object> value)
            throws SQLException {
        SqlArrays.bind(statement, parameter, type, elements.stream().map(value).toArray());
    }
}
