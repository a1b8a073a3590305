package dev.waybill.store.jdbc;

import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Parked keys and the leases of their shards, locked while somebody decides about them. Thread-safe.
 *
 * <p>Every decision locks the shard's lease row first, as a settle does, and then the key: whoever has the one waits for
 * nobody who needs it. What is locked is read in a statement after that: as it is now, and as it stays.
 */
final class ParkedKeys {

    /**
     * What is known of a key that is parked, paused or releasing.
     *
     * @param head the dead letter that it waits behind; empty: somebody paused it
     */
    record Parking(ParkedKey.State state, OptionalLong head) {

        boolean isParked() {
            return state == ParkedKey.State.PARKED;
        }

        boolean isBehind(long sequence) {
            return isParked() && head.isPresent() && head.getAsLong() == sequence;
        }
    }

    private final SqlSteps steps;
    private final String lockLease;
    private final String rewind;
    private final String lock;
    private final String read;
    private final String release;
    private final String free;

    ParkedKeys(Tables tables, SqlSteps steps) {
        this.steps = steps;
        lockLease = tables.sql("SELECT shard FROM {lease} WHERE shard = ? FOR UPDATE");
        rewind = tables.sql("UPDATE {lease} SET rewind = rewind + 1 WHERE shard = ?");
        lock = tables.sql("SELECT shard FROM {parked_key} WHERE destination = ? AND event_key = ? FOR UPDATE");
        read = tables.sql("SELECT state, dead_seq FROM {parked_key} WHERE destination = ? AND event_key = ?");
        release = tables.sql("UPDATE {parked_key} SET state = 'RELEASING' WHERE destination = ? AND event_key = ?");
        free = tables.sql("DELETE FROM {parked_key} WHERE destination = ? AND event_key = ?");
    }

    /** Keeps relays from changing anything in a shard until the transaction ends. */
    void lockShard(Connection connection, int shard) throws SQLException {
        steps.first(connection, lockLease, rows -> true, shard);
    }

    /** Locks the key until the transaction ends. */
    Optional<Parking> lock(Connection connection, OrderKey key) throws SQLException {
        steps.first(connection, lock, rows -> true, key.destination(), key.key());
        return steps.first(
                connection,
                read,
                rows -> {
                    ParkedKey.State state = ParkedKey.State.valueOf(rows.getString(1));
                    long head = rows.getLong(2);
                    return new Parking(state, rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(head));
                },
                key.destination(),
                key.key());
    }

    /** Lets the relay put back what waits. */
    void release(Connection connection, OrderKey key) throws SQLException {
        steps.update(connection, release, key.destination(), key.key());
        rewind(connection, key.shard());
    }

    /** Tells the relay that the shard is not what it has read. */
    void rewind(Connection connection, int shard) throws SQLException {
        steps.update(connection, rewind, shard);
    }

    void free(Connection connection, OrderKey key) throws SQLException {
        steps.update(connection, free, key.destination(), key.key());
    }
}
