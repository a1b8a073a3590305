package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Dead letters and parked keys, on H2: a short transaction for each decision. Thread-safe. */
final class H2DeadLetters implements DeadLetters {
    private final Sessions sessions;
    private final H2Fence fence;
    private final H2Keys keys;
    private final String list;
    private final String parked;
    private final String revive;
    private final String skip;
    private final String rewind;
    private final String findShard;
    private final String putBack;
    private final String delete;

    H2DeadLetters(Sessions sessions, Tables tables, H2Fence fence, H2Keys keys) {
        this.sessions = sessions;
        this.fence = fence;
        this.keys = keys;
        // IN and not <>: H2 has no partial index, and reads the index on (state, seq) once for each state.
        list = tables.sql("""
                SELECT %s, 0, state, died_at FROM {dead_letter} WHERE state IN ('DEAD', 'SKIPPED') AND seq > ?
                ORDER BY seq LIMIT ?
                """.formatted(EntryRows.COLUMNS));
        parked = tables.sql("""
                SELECT p.destination, p.event_key, p.shard, p.state, p.dead_seq, (
                    SELECT count(*) FROM {dead_letter} d
                    WHERE d.destination = p.destination AND d.event_key = p.event_key AND d.state = 'WAITING'
                )
                FROM {parked_key} p ORDER BY p.dead_seq LIMIT ?
                """);
        revive = tables.sql("""
                UPDATE {dead_letter} SET state = 'WAITING', attempts = 0, died_at = NULL
                WHERE seq = ? AND state = 'DEAD'
                """);
        skip = tables.sql("UPDATE {dead_letter} SET state = 'SKIPPED' WHERE seq = ? AND state = 'DEAD'");
        rewind = tables.sql("UPDATE {lease} SET rewind = rewind + 1 WHERE shard = ?");
        findShard = tables.sql("""
                SELECT d.shard FROM {dead_letter} d WHERE d.seq = ? AND d.state <> 'WAITING' AND NOT EXISTS (
                    SELECT 1 FROM {parked_key} p
                    WHERE p.destination = d.destination AND p.event_key = d.event_key
                        AND p.dead_seq = d.seq AND p.state = 'PARKED'
                )
                """);
        putBack = tables.sql("""
                INSERT INTO {outbox} (%s)
                SELECT seq, shard, id, destination, event_key, type, version, content_type, headers, payload,
                    occurred_at, available_at, 0, last_error FROM {dead_letter} WHERE seq = ?
                """.formatted(EntryRows.COLUMNS));
        delete = tables.sql("DELETE FROM {dead_letter} WHERE seq = ?");
    }

    @Override
    public List<DeadLetter> list(long afterSequence, int limit) {
        return sessions.autocommit("list dead letters", connection -> {
            try (PreparedStatement statement = H2Sql.prepare(connection, list, afterSequence, limit);
                    ResultSet rows = statement.executeQuery()) {
                return DeadLetterRows.letters(rows);
            }
        });
    }

    @Override
    public List<Parked> parked(int limit) {
        return sessions.autocommit("list parked keys", connection -> {
            try (PreparedStatement statement = H2Sql.prepare(connection, parked, limit);
                    ResultSet rows = statement.executeQuery()) {
                List<Parked> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(DeadLetterRows.parked(rows));
                }
                return found;
            }
        });
    }

    @Override
    public boolean release(OrderKey key) {
        return sessions.transaction("release a key", connection -> decide(connection, key, revive));
    }

    @Override
    public boolean skip(OrderKey key) {
        return sessions.transaction("skip the dead letter of a key", connection -> decide(connection, key, skip));
    }

    /** Lease first, then key: the order in which settles lock them. */
    private boolean decide(Connection connection, OrderKey key, String changeHead) throws SQLException {
        fence.lock(connection, key.shard());
        if (!keys.lock(connection, key).equals(H2Keys.PARKED)) {
            return false;
        }
        H2Sql.update(connection, changeHead, keys.head(connection, key));
        keys.release(connection, key);
        H2Sql.update(connection, rewind, key.shard());
        return true;
    }

    @Override
    public boolean redrive(long sequence) {
        return sessions.transaction("redrive dead letter " + sequence, connection -> {
            List<Long> shard = H2Sql.numbers(connection, findShard, sequence);
            if (shard.isEmpty()) {
                return false;
            }
            fence.lock(connection, shard.get(0).intValue());
            // Once more, now that no other decision about this shard can come in between.
            if (H2Sql.numbers(connection, findShard, sequence).isEmpty()) {
                return false;
            }
            H2Sql.update(connection, putBack, sequence);
            H2Sql.update(connection, delete, sequence);
            H2Sql.update(connection, rewind, shard.get(0).intValue());
            return true;
        });
    }
}
