package dev.waybill.store.jdbc;

import dev.waybill.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The parked keys of H2, locked while somebody decides about them. Thread-safe. */
final class H2Keys {
    static final String PARKED = "PARKED";
    static final String NOT_PARKED = "";

    private final String lock;
    private final String read;
    private final String release;
    private final String free;

    H2Keys(Tables tables) {
        lock = tables.sql("SELECT dead_seq FROM {parked_key} WHERE destination = ? AND event_key = ? FOR UPDATE");
        read = tables.sql("SELECT state FROM {parked_key} WHERE destination = ? AND event_key = ?");
        release = tables.sql("UPDATE {parked_key} SET state = 'RELEASING' WHERE destination = ? AND event_key = ?");
        free = tables.sql("DELETE FROM {parked_key} WHERE destination = ? AND event_key = ?");
    }

    /** Locks the key until the transaction ends and answers its state; empty if it is not parked. */
    String lock(Connection connection, OrderKey key) throws SQLException {
        H2Sql.numbers(connection, lock, key.destination(), key.key());
        try (PreparedStatement statement = H2Sql.prepare(connection, read, key.destination(), key.key());
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getString(1) : NOT_PARKED;
        }
    }

    /** The sequence of the dead letter at the head of a key that is locked. */
    long head(Connection connection, OrderKey key) throws SQLException {
        return H2Sql.number(connection, lock, key.destination(), key.key());
    }

    void release(Connection connection, OrderKey key) throws SQLException {
        H2Sql.update(connection, release, key.destination(), key.key());
    }

    void free(Connection connection, OrderKey key) throws SQLException {
        H2Sql.update(connection, free, key.destination(), key.key());
    }
}
