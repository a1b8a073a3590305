package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Holds leases until the transaction ends, so that nobody takes a shard while its entries change. Thread-safe. */
final class H2Fence {
    private final String lock;
    private final String read;

    H2Fence(Tables tables) {
        lock = tables.sql("SELECT shard FROM {lease} WHERE shard = ANY (?) ORDER BY shard FOR UPDATE");
        read = tables.sql("SELECT shard, epoch FROM {lease} WHERE shard = ANY (?) AND owner = ?");
    }

    /** Locks the shards of some leases and answers those that the relay still owns with that epoch. */
    Set<Integer> hold(Connection connection, UUID relay, Collection<Lease> leases) throws SQLException {
        Object[] shards = leases.stream().map(Lease::shard).distinct().toArray();
        lock(connection, shards);
        // A statement of its own, after the locks: it reads the rows as they are now and as they stay.
        Set<Lease> held = new java.util.HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            SqlArrays.bind(statement, 1, "int", shards);
            statement.setObject(2, relay);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    held.add(new Lease(rows.getInt(1), rows.getLong(2), 0));
                }
            }
        }
        return leases.stream()
                .filter(lease -> held.contains(new Lease(lease.shard(), lease.epoch(), 0)))
                .map(Lease::shard)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    void lock(Connection connection, Object... shards) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            SqlArrays.bind(statement, 1, "int", shards);
            statement.executeQuery().close();
        }
    }
}
