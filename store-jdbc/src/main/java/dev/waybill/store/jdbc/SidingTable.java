package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where consumers' events wait: the outbox, its dead letters and parked keys, written in the transaction of the consumer.
 * Thread-safe.
 *
 * <p>A death locks the shard's lease row before it looks whether something of the key waits, as every decision does: of two
 * deaths of a key the second sees the first, and no relay puts entries of the key back in between.
 */
final class SidingTable {
    private static final String[] GENERATED = {"seq"};
    private static final int AFTER_EVENT = 13;

    private final SqlSteps steps;
    private final EntryRows entryRows;
    private final ParkedKeys keys;
    private final AtomicInteger questions = new AtomicInteger();
    private final String isAside;
    private final String append;
    private final String bury;
    private final String delete;
    private final String park;
    private final String stored;

    SidingTable(Tables tables, SqlSteps steps, EntryRows entryRows) {
        this.steps = steps;
        this.entryRows = entryRows;
        this.keys = new ParkedKeys(tables, steps);
        SqlFlavour flavour = steps.flavour();
        // One statement, so one moment: entries and the mark of their key move between the tables together. The numbers
        // are lower than all there are, and different each time: H2 may answer a query that it has answered before
        // without looking.
        isAside = tables.sql("""
                SELECT CASE WHEN (
                    SELECT seq FROM {outbox}%s LIMIT 1
                ) IS NOT NULL OR EXISTS (
                    SELECT 1 FROM {parked_key} WHERE destination = ? AND event_key = ? AND shard > ?
                ) THEN 1 ELSE 0 END
                """.formatted(flavour.aside()));
        append = tables.sql("""
                INSERT INTO {outbox} (%s, attempts, last_error, replay, retry_at) VALUES (%s, ?, ?, ?, %s)
                """.formatted(EntryRows.INSERTED, EntryRows.PARAMETERS, flavour.later()));
        bury = tables.sql("""
                INSERT INTO {dead_letter} (%1$s, state, died_at) SELECT %1$s, 'DEAD', %2$s
                FROM {outbox} WHERE shard = ? AND seq = ?
                """.formatted(EntryRows.COLUMNS, flavour.now()));
        delete = tables.sql("DELETE FROM {outbox} WHERE shard = ? AND seq = ?");
        park = tables.sql("""
                INSERT INTO {parked_key} (destination, event_key, shard, state, dead_seq, parked_at)
                VALUES (?, ?, ?, 'PARKED', ?, %s)
                """.formatted(flavour.now()));
        stored = tables.sql("""
                SELECT * FROM (
                    (SELECT %1$s, CASE WHEN COALESCE(retry_at, available_at) IS NULL THEN 0 ELSE %2$s END FROM {outbox}
                    WHERE destination = ? AND seq > ? ORDER BY seq LIMIT ?)
                    UNION ALL
                    (SELECT %1$s, 0 FROM {dead_letter}
                    WHERE destination = ? AND seq > ? AND state IN ('DEAD', 'SKIPPED', 'WAITING')
                    ORDER BY seq LIMIT ?)
                ) e ORDER BY seq LIMIT ?
                """.formatted(EntryRows.COLUMNS, flavour.microsUntil("COALESCE(retry_at, available_at)")));
    }

    boolean isAside(Connection connection, OrderKey lane) throws SQLException {
        int unlike = -1 - (questions.getAndIncrement() & 0x7FFF);
        return steps.number(
                        connection,
                        isAside,
                        lane.destination(),
                        lane.key(),
                        unlike,
                        lane.destination(),
                        lane.key(),
                        unlike)
                == 1;
    }

    void setAside(Connection connection, Event event, int replay, Setback setback) throws SQLException {
        int shard = Shards.of(event);
        String key = event.key();
        OrderKey lane = key == null ? null : new OrderKey(event.destination(), key);
        if (setback.isDead() && lane != null) {
            keys.lockShard(connection, shard);
        }
        // One that is due at once is due at once, whatever else waits.
        boolean matters = micros(setback.retryAfter()) != null || setback.isDead();
        boolean behind = matters && lane != null && isAside(connection, lane);
        steps.flavour().announceAppend(connection);
        long sequence = append(connection, event, replay, setback, behind);
        if (!setback.isDead() || behind) {
            return;
        }
        steps.update(connection, bury, shard, sequence);
        steps.update(connection, delete, shard, sequence);
        if (lane != null) {
            steps.update(connection, park, lane.destination(), lane.key(), shard, sequence);
            keys.rewind(connection, shard);
        }
    }

    private long append(Connection connection, Event event, int replay, Setback setback, boolean behind)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(append, GENERATED)) {
            entryRows.bind(statement, 1, event);
            statement.setInt(AFTER_EVENT, setback.attempts());
            statement.setString(AFTER_EVENT + 1, setback.error() == null ? null : StoredText.error(setback.error()));
            // 0 and not null: only what waits in a siding is in the index by key.
            statement.setInt(AFTER_EVENT + 2, replay);
            Long wait = behind ? null : micros(setback.retryAfter());
            if (wait == null) {
                statement.setNull(AFTER_EVENT + 3, Types.BIGINT);
            } else {
                statement.setLong(AFTER_EVENT + 3, wait);
            }
            statement.executeUpdate();
            try (ResultSet generated = statement.getGeneratedKeys()) {
                generated.next();
                return generated.getLong(1);
            }
        }
    }

    private static @Nullable Long micros(@Nullable Duration wait) {
        return wait == null || wait.isZero() ? null : EntryRows.toMicros(wait);
    }

    List<Entry> stored(Connection connection, String consumer, long afterSequence, int limit) throws SQLException {
        List<Optional<Entry>> rows = steps.all(
                connection,
                stored,
                found -> entryRows.readValid(found, 1),
                consumer,
                afterSequence,
                limit,
                consumer,
                afterSequence,
                limit,
                limit);
        return rows.stream().flatMap(Optional::stream).toList();
    }
}
