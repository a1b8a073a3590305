package dev.waybill.store.jdbc;

import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.jdbc.ParkedKeys.Parking;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** How a relay changes entries, on H2: a short transaction that begins with the fence. Thread-safe. */
final class H2Settler implements EntrySettler {
    private final Sessions sessions;
    private final H2Fence fence;
    private final ParkedKeys keys;
    private final boolean keeps;
    private final String keep;
    private final String delete;
    private final String deleteAll;
    private final String retry;
    private final String bury;
    private final String giveHead;
    private final String park;
    private final String firstOfKey;
    private final String wait;
    private final String firstWaiting;
    private final String putBack;
    private final String deleteWaiting;

    H2Settler(Sessions sessions, Tables tables, H2Fence fence, ParkedKeys keys, Duration retention) {
        this.sessions = sessions;
        this.fence = fence;
        this.keys = keys;
        this.keeps = !retention.isZero();
        keep = tables.sql("""
                INSERT INTO {history} (%1$s, delivered_at) SELECT %1$s, CURRENT_TIMESTAMP
                FROM {outbox} WHERE seq = ANY (?)
                """.formatted(EntryRows.COLUMNS));
        deleteAll = tables.sql("DELETE FROM {outbox} WHERE seq = ANY (?)");
        delete = tables.sql("DELETE FROM {outbox} WHERE shard = ? AND seq = ?");
        retry = tables.sql("""
                UPDATE {outbox} SET attempts = attempts + 1, last_error = ?,
                    retry_at = DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP)
                WHERE shard = ? AND seq = ?
                """);
        bury = tables.sql("""
                INSERT INTO {dead_letter} (%s, state, died_at)
                SELECT seq, shard, id, destination, event_key, type, version, content_type, headers, payload,
                    occurred_at, available_at, attempts + 1, CAST(? AS varchar), replay, inflated_size, 'DEAD',
                    CURRENT_TIMESTAMP
                FROM {outbox} WHERE shard = ? AND seq = ?
                """.formatted(EntryRows.COLUMNS));
        giveHead = tables.sql("""
                UPDATE {parked_key} SET state = 'PARKED', dead_seq = ?
                WHERE dead_seq IS NULL AND (destination, event_key) IN (
                    SELECT destination, event_key FROM {outbox} WHERE shard = ? AND seq = ?
                )
                """);
        park = tables.sql("""
                INSERT INTO {parked_key} (destination, event_key, shard, state, dead_seq, parked_at)
                SELECT destination, event_key, shard, 'PARKED', seq, CURRENT_TIMESTAMP
                FROM {outbox} o WHERE shard = ? AND seq = ? AND event_key IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM {parked_key} p WHERE p.destination = o.destination AND p.event_key = o.event_key
                )
                """);
        // Locked before they are copied: one that a cancel has just removed must not come back.
        firstOfKey = tables.sql("""
                SELECT seq FROM {outbox} WHERE shard = ? AND seq >= ? AND seq <= ? AND destination = ? AND event_key = ?
                ORDER BY shard, seq LIMIT ? FOR UPDATE
                """);
        wait = tables.sql("""
                INSERT INTO {dead_letter} (%1$s, state) SELECT %1$s, 'WAITING' FROM {outbox} WHERE shard = ? AND seq = ?
                """.formatted(EntryRows.COLUMNS));
        firstWaiting = tables.sql("""
                SELECT seq FROM {dead_letter} WHERE destination = ? AND event_key = ? AND state = 'WAITING'
                ORDER BY seq LIMIT ? FOR UPDATE
                """);
        putBack = tables.sql("INSERT INTO {outbox} (%1$s) SELECT %1$s FROM {dead_letter} WHERE seq = ?"
                .formatted(EntryRows.COLUMNS));
        deleteWaiting = tables.sql("DELETE FROM {dead_letter} WHERE seq = ?");
    }

    @Override
    public Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return Set.of();
        }
        Set<Integer> shards = outcomes.stream().map(Outcome::shard).collect(Collectors.toCollection(TreeSet::new));
        List<Lease> needed =
                leases.stream().filter(lease -> shards.contains(lease.shard())).toList();
        return sessions.transaction("settle", connection -> {
            Set<Integer> held = fence.hold(connection, relay, needed);
            List<Long> delivered = new ArrayList<>();
            List<Long> gone = new ArrayList<>();
            try (PreparedStatement retries = connection.prepareStatement(retry)) {
                for (Outcome outcome : outcomes) {
                    if (!held.contains(outcome.shard())) {
                        continue;
                    }
                    if (outcome instanceof Outcome.Retried retried) {
                        retries.setString(1, StoredText.error(retried.error()));
                        retries.setLong(2, EntryRows.toMicros(retried.after()));
                        retries.setInt(3, retried.shard());
                        retries.setLong(4, retried.sequence());
                        retries.addBatch();
                        continue;
                    }
                    if (outcome instanceof Outcome.Died died) {
                        bury(connection, died);
                    } else {
                        delivered.add(outcome.sequence());
                    }
                    gone.add(outcome.sequence());
                }
                retries.executeBatch();
            }
            if (keeps) {
                change(connection, keep, delivered);
            }
            change(connection, deleteAll, gone);
            shards.removeAll(held);
            return shards;
        });
    }

    private static void change(Connection connection, String sql, List<Long> sequences) throws SQLException {
        if (sequences.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            // In the order of the rows.
            SqlArrays.bind(statement, 1, "bigint", sequences.stream().sorted().toArray());
            statement.executeUpdate();
        }
    }

    private void bury(Connection connection, Outcome.Died died) throws SQLException {
        H2Sql.update(connection, bury, StoredText.error(died.error()), died.shard(), died.sequence());
        if (died.policy() == DeadLetterPolicy.PARK) {
            H2Sql.update(connection, giveHead, died.sequence(), died.shard(), died.sequence());
            H2Sql.update(connection, park, died.shard(), died.sequence());
        }
    }

    @Override
    public OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        OrderKey key = stretch.key();
        return sessions.transaction("hold the entries of a parked key", connection -> {
            if (fence.hold(connection, relay, List.of(lease)).isEmpty()) {
                return OptionalInt.empty();
            }
            if (keys.lock(connection, key).filter(Parking::isParked).isEmpty()) {
                return OptionalInt.of(0);
            }
            List<Long> first = H2Sql.numbers(
                    connection,
                    firstOfKey,
                    lease.shard(),
                    stretch.from(),
                    stretch.to(),
                    key.destination(),
                    key.key(),
                    limit);
            for (long sequence : first) {
                H2Sql.update(connection, wait, lease.shard(), sequence);
                H2Sql.update(connection, delete, lease.shard(), sequence);
            }
            return OptionalInt.of(first.size());
        });
    }

    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        return sessions.transaction("restore the entries of a key", connection -> {
            if (fence.hold(connection, relay, List.of(lease)).isEmpty()) {
                return OptionalInt.empty();
            }
            Optional<Parking> parking = keys.lock(connection, key);
            if (parking.isEmpty()) {
                return OptionalInt.of(0);
            }
            if (parking.get().isParked()) {
                return OptionalInt.empty();
            }
            List<Long> first = H2Sql.numbers(connection, firstWaiting, key.destination(), key.key(), limit);
            for (long sequence : first) {
                H2Sql.update(connection, putBack, sequence);
                H2Sql.update(connection, deleteWaiting, sequence);
            }
            if (first.size() < limit) {
                keys.free(connection, key);
            }
            return OptionalInt.of(first.size());
        });
    }
}
