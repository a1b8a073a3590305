package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Holds leases until the transaction ends, so that nobody takes a shard while its entries change. Thread-safe.
 *
 * <p>Rows are locked by primary key, in the order of shards. A locking read shows the row as it is now and as it stays,
 * not as a snapshot has it: owner and epoch are compared with that.
 */
final class MariaFence {
    private final Tables tables;

    MariaFence(Tables tables) {
        this.tables = tables;
    }

    /** Shares the rows of some leases and answers the shards that the relay still owns with that epoch. */
    Set<Integer> hold(Connection connection, UUID relay, Collection<Lease> leases) throws SQLException {
        Map<Integer, Long> epochs = new HashMap<>();
        leases.forEach(lease -> epochs.put(lease.shard(), lease.epoch()));
        Set<Integer> held = new TreeSet<>();
        if (epochs.isEmpty()) {
            return held;
        }
        // Forced: reading all rows of the small table would wait for other relays' shards too.
        String sql = tables.sql("SELECT shard, owner, epoch FROM {lease} FORCE INDEX (PRIMARY) WHERE shard IN ("
                + MariaSql.numbers(new TreeSet<>(epochs.keySet())) + ") ORDER BY shard LOCK IN SHARE MODE");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                boolean owned = relay.toString().equals(rows.getString(2));
                if (owned && rows.getLong(3) == epochs.getOrDefault(rows.getInt(1), -1L)) {
                    held.add(rows.getInt(1));
                }
            }
        }
        return held;
    }
}
