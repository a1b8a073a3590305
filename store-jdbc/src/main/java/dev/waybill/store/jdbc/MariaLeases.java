package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.Ownership;
import dev.waybill.store.ShardSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Who owns which shard, on MariaDB: a short transaction for each operation. Thread-safe.
 *
 * <p>There is no index on the owner, so that statements look at all 64 rows, in the order of shards. An UPDATE in READ
 * COMMITTED passes over rows that others have locked and that it does not want ("semi-consistent read"); a SELECT ...
 * FOR UPDATE would wait for them, and a relay that hangs in the middle of a settle would hold up all others.
 */
final class MariaLeases implements LeaseStore {
    private static final String LATER = "UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND";

    private final MariaSessions sessions;
    private final Tables tables;
    private final String announce;
    private final String count;
    private final String findForgotten;
    private final String renew;
    private final String retake;
    private final String readOwn;
    private final String findFree;
    private final String leave;
    private final String withdraw;

    MariaLeases(MariaSessions sessions, Tables tables) {
        this.sessions = sessions;
        this.tables = tables;
        announce = tables.sql("INSERT INTO {relay} (id, expires_at) VALUES (?, " + LATER
                + ") ON DUPLICATE KEY UPDATE expires_at = VALUES(expires_at)");
        count = tables.sql("""
                SELECT COALESCE(SUM(expires_at > UTC_TIMESTAMP(6)), 0),
                    COALESCE(SUM(expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 HOUR), 0) FROM {relay}
                """);
        // Only what nobody else is at: two renewals must not wait for each other.
        findForgotten = tables.sql("""
                SELECT id FROM {relay} WHERE expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 HOUR FOR UPDATE SKIP LOCKED
                """);
        renew = tables.sql("UPDATE {lease} SET expires_at = " + LATER + " WHERE owner = ?");
        // Waits for a settle of ours that still runs, because that one shares the row; one that comes later finds a
        // newer epoch.
        retake = tables.sql("UPDATE {lease} SET epoch = epoch + 1, expires_at = " + LATER + " WHERE owner = ?");
        readOwn = tables.sql("SELECT shard, epoch, rewind FROM {lease} WHERE owner = ? ORDER BY shard");
        findFree = tables.sql("""
                SELECT shard, epoch, rewind FROM {lease}
                WHERE (owner IS NULL OR expires_at <= UTC_TIMESTAMP(6)) AND (? >> shard) & 1 = 1
                ORDER BY shard LIMIT ? FOR UPDATE SKIP LOCKED
                """);
        leave = tables.sql("UPDATE {lease} SET owner = NULL WHERE owner = ?");
        withdraw = tables.sql("DELETE FROM {relay} WHERE id = ?");
    }

    @Override
    public Ownership renew(UUID relay, Duration lease) {
        return sessions.transaction("renew leases", connection -> {
            long micros = EntryRows.toMicros(lease);
            MariaSql.update(connection, renew, micros, relay);
            MariaSql.update(connection, announce, relay, micros);
            return new Ownership(countLive(connection), own(connection, relay));
        });
    }

    private int countLive(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(count);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            int live = rows.getInt(1);
            if (rows.getInt(2) > 0) {
                forget(connection);
            }
            return live;
        }
    }

    private void forget(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(findForgotten);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                MariaSql.update(connection, withdraw, rows.getString(1));
            }
        }
    }

    private List<Lease> own(Connection connection, UUID relay) throws SQLException {
        try (PreparedStatement statement = MariaSql.prepare(connection, readOwn, relay);
                ResultSet rows = statement.executeQuery()) {
            return leases(rows, 0);
        }
    }

    @Override
    public List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease) {
        return sessions.transaction("take shards", connection -> {
            List<Lease> taken;
            try (PreparedStatement statement =
                            MariaSql.prepare(connection, findFree, among.bits(), Math.max(0, atMost));
                    ResultSet rows = statement.executeQuery()) {
                taken = leases(rows, 1);
            }
            if (!taken.isEmpty()) {
                List<Integer> shards = taken.stream().map(Lease::shard).toList();
                String take = tables.sql("UPDATE {lease} SET owner = ?, epoch = epoch + 1, expires_at = " + LATER
                        + " WHERE shard IN (" + MariaSql.numbers(shards) + ")");
                MariaSql.update(connection, take, relay, EntryRows.toMicros(lease));
            }
            return taken;
        });
    }

    @Override
    public List<Lease> retake(UUID relay, Duration lease) {
        return sessions.transaction("take its own shards anew", connection -> {
            MariaSql.update(connection, retake, EntryRows.toMicros(lease), relay);
            return own(connection, relay);
        });
    }

    @Override
    public void giveBack(UUID relay, Collection<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        List<String> given = leases.stream()
                .map(lease -> "(shard = " + lease.shard() + " AND epoch = " + lease.epoch() + ")")
                .toList();
        String giveBack =
                tables.sql("UPDATE {lease} SET owner = NULL WHERE owner = ? AND (" + String.join(" OR ", given) + ")");
        sessions.transaction("give shards back", connection -> MariaSql.update(connection, giveBack, relay));
    }

    @Override
    public void withdraw(UUID relay) {
        sessions.transaction("withdraw", connection -> MariaSql.update(connection, withdraw, relay));
    }

    @Override
    public void leave(UUID relay) {
        sessions.transaction("leave", connection -> {
            MariaSql.update(connection, leave, relay);
            return MariaSql.update(connection, withdraw, relay);
        });
    }

    private static List<Lease> leases(ResultSet rows, int epochs) throws SQLException {
        List<Lease> leases = new ArrayList<>();
        while (rows.next()) {
            leases.add(new Lease(rows.getInt(1), rows.getLong(2) + epochs, rows.getLong(3)));
        }
        return leases;
    }
}
