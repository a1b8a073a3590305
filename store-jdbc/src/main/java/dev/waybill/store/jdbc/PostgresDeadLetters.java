package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.store.OrderKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Dead letters and parked keys, on PostgreSQL: one autocommit statement for each decision. Thread-safe.
 *
 * <p>A decision locks the shard's lease row first, as a settle does, and then the key: whoever has the one waits for
 * nobody who needs it.
 */
final class PostgresDeadLetters implements DeadLetters {
    private static final String LOCK_KEY = """
            WITH shard_lease AS MATERIALIZED (
                SELECT shard FROM {lease} WHERE shard = ? FOR NO KEY UPDATE
            ), key AS MATERIALIZED (
                SELECT p.destination, p.event_key, p.shard, p.dead_seq
                FROM {parked_key} p JOIN shard_lease l ON p.shard = l.shard
                WHERE p.destination = ? AND p.event_key = ? AND p.state = 'PARKED'
                FOR UPDATE OF p
            ), releasing AS (
                UPDATE {parked_key} p SET state = 'RELEASING' FROM key k
                WHERE p.destination = k.destination AND p.event_key = k.event_key
            ), rewound AS (
                UPDATE {lease} l SET rewind = l.rewind + 1 FROM key k WHERE l.shard = k.shard
            )""";

    private final Sessions sessions;
    private final String list;
    private final String parked;
    private final String release;
    private final String skip;
    private final String redrive;

    PostgresDeadLetters(Sessions sessions, PostgresStatements statements) {
        this.sessions = sessions;
        list = statements.withSettings("""
                SELECT %s, 0, state, died_at FROM {dead_letter} WHERE state <> 'WAITING' AND seq > ?
                ORDER BY seq LIMIT ?
                """.formatted(EntryRows.COLUMNS));
        parked = statements.withSettings("""
                SELECT p.destination, p.event_key, p.shard, p.state, p.dead_seq, (
                    SELECT count(*) FROM {dead_letter} d
                    WHERE d.destination = p.destination AND d.event_key = p.event_key AND d.state = 'WAITING'
                )
                FROM (SELECT * FROM {parked_key} ORDER BY dead_seq LIMIT ?) p
                ORDER BY p.dead_seq
                """);
        release = statements.withSettings(LOCK_KEY + """
                , head AS (
                    UPDATE {dead_letter} d SET state = 'WAITING', attempts = 0, died_at = NULL FROM key k
                    WHERE d.seq = k.dead_seq AND d.state = 'DEAD'
                )
                SELECT shard FROM key
                """);
        skip = statements.withSettings(LOCK_KEY + """
                , head AS (
                    UPDATE {dead_letter} d SET state = 'SKIPPED' FROM key k
                    WHERE d.seq = k.dead_seq AND d.state = 'DEAD'
                )
                SELECT shard FROM key
                """);
        redrive = statements.withSettings("""
                WITH shard_lease AS MATERIALIZED (
                    SELECT l.shard FROM {lease} l
                    WHERE l.shard = (SELECT d.shard FROM {dead_letter} d WHERE d.seq = ? AND d.state <> 'WAITING')
                    FOR NO KEY UPDATE
                ), gone AS (
                    DELETE FROM {dead_letter} d USING shard_lease l
                    WHERE d.seq = ? AND d.shard = l.shard AND d.state <> 'WAITING' AND NOT EXISTS (
                        SELECT FROM {parked_key} p
                        WHERE p.destination = d.destination AND p.event_key = d.event_key
                            AND p.dead_seq = d.seq AND p.state = 'PARKED'
                    )
                    RETURNING d.*
                ), back AS (
                    INSERT INTO {outbox} (%s)
                    SELECT seq, shard, id, destination, event_key, type, version, content_type, headers, payload,
                        occurred_at, available_at, 0, last_error FROM gone
                ), rewound AS (
                    UPDATE {lease} l SET rewind = l.rewind + 1 FROM gone g WHERE l.shard = g.shard
                )
                SELECT shard FROM gone
                """.formatted(EntryRows.COLUMNS));
    }

    @Override
    public List<DeadLetter> list(long afterSequence, int limit) {
        return sessions.autocommit("list dead letters", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, list)) {
                statement.setLong(1, afterSequence);
                statement.setInt(2, limit);
                return DeadLetterRows.letters(PostgresStatements.query(statement));
            }
        });
    }

    @Override
    public List<Parked> parked(int limit) {
        return sessions.autocommit("list parked keys", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, parked)) {
                statement.setInt(1, limit);
                ResultSet rows = PostgresStatements.query(statement);
                List<Parked> keys = new ArrayList<>();
                while (rows.next()) {
                    keys.add(DeadLetterRows.parked(rows));
                }
                return keys;
            }
        });
    }

    @Override
    public boolean release(OrderKey key) {
        return decide("release a key", release, key);
    }

    @Override
    public boolean skip(OrderKey key) {
        return decide("skip the dead letter of a key", skip, key);
    }

    private boolean decide(String operation, String sql, OrderKey key) {
        return sessions.autocommit(operation, connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
                statement.setInt(1, key.shard());
                statement.setString(2, key.destination());
                statement.setString(3, key.key());
                return PostgresStatements.query(statement).next();
            }
        });
    }

    @Override
    public boolean redrive(long sequence) {
        return sessions.autocommit("redrive dead letter " + sequence, connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, redrive)) {
                statement.setLong(1, sequence);
                statement.setLong(2, sequence);
                return PostgresStatements.query(statement).next();
            }
        });
    }
}
