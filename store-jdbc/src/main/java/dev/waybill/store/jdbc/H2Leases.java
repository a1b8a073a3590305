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
 * Who owns which shard, on H2: a short transaction for each operation. Thread-safe.
 *
 * <p>Each one locks the rows first, in the order of shards, and reads them again in the next statement: what it sees
 * then is what it holds, whoever changed the rows while it waited.
 */
final class H2Leases implements LeaseStore {
    private final Sessions sessions;
    private final H2Fence fence;
    private final String announce;
    private final String forget;
    private final String countLive;
    private final String lockFree;
    private final String readFree;
    private final String lockOwn;
    private final String readOwn;
    private final String renew;
    private final String take;
    private final String free;
    private final String withdraw;

    H2Leases(Sessions sessions, Tables tables, H2Fence fence) {
        this.sessions = sessions;
        this.fence = fence;
        announce = tables.sql(
                "MERGE INTO {relay} (id, expires_at) KEY (id) VALUES (?, DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP))");
        forget = tables.sql("DELETE FROM {relay} WHERE expires_at < DATEADD(HOUR, -1, CURRENT_TIMESTAMP)");
        countLive = tables.sql("SELECT count(*) FROM {relay} WHERE expires_at > CURRENT_TIMESTAMP");
        lockFree = tables.sql("""
                SELECT shard FROM {lease} WHERE (owner IS NULL OR expires_at <= CURRENT_TIMESTAMP) AND BITGET(?, shard)
                ORDER BY shard LIMIT ? FOR UPDATE SKIP LOCKED
                """);
        readFree = tables.sql("""
                SELECT shard, epoch, rewind FROM {lease}
                WHERE shard = ANY (?) AND (owner IS NULL OR expires_at <= CURRENT_TIMESTAMP) ORDER BY shard
                """);
        lockOwn = tables.sql("SELECT shard FROM {lease} WHERE owner = ? ORDER BY shard FOR UPDATE");
        readOwn = tables.sql("SELECT shard, epoch, rewind FROM {lease} WHERE owner = ? ORDER BY shard");
        renew = tables.sql(
                "UPDATE {lease} SET expires_at = DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP) WHERE owner = ?");
        take = tables.sql("""
                UPDATE {lease} SET owner = ?, epoch = epoch + 1, expires_at = DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP)
                WHERE shard = ?
                """);
        free = tables.sql("UPDATE {lease} SET owner = NULL WHERE shard = ?");
        withdraw = tables.sql("DELETE FROM {relay} WHERE id = ?");
    }

    @Override
    public Ownership renew(UUID relay, Duration lease) {
        return sessions.transaction("renew leases", connection -> {
            long micros = EntryRows.toMicros(lease);
            H2Sql.update(connection, announce, relay, micros);
            H2Sql.update(connection, forget);
            H2Sql.numbers(connection, lockOwn, relay);
            H2Sql.update(connection, renew, micros, relay);
            int live = (int) H2Sql.number(connection, countLive);
            return new Ownership(live, own(connection, relay));
        });
    }

    private List<Lease> own(Connection connection, UUID relay) throws SQLException {
        try (PreparedStatement statement = H2Sql.prepare(connection, readOwn, relay);
                ResultSet rows = statement.executeQuery()) {
            return leases(rows);
        }
    }

    @Override
    public List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease) {
        return sessions.transaction("take shards", connection -> {
            List<Long> locked = H2Sql.numbers(connection, lockFree, among.bits(), Math.max(0, atMost));
            List<Lease> found;
            try (PreparedStatement statement = connection.prepareStatement(readFree)) {
                SqlArrays.bind(statement, 1, "bigint", locked.toArray());
                try (ResultSet rows = statement.executeQuery()) {
                    found = leases(rows);
                }
            }
            return takeAll(connection, relay, found, lease);
        });
    }

    @Override
    public List<Lease> retake(UUID relay, Duration lease) {
        return sessions.transaction("take its own shards anew", connection -> {
            H2Sql.numbers(connection, lockOwn, relay);
            return takeAll(connection, relay, own(connection, relay), lease);
        });
    }

    private List<Lease> takeAll(Connection connection, UUID relay, List<Lease> found, Duration lease)
            throws SQLException {
        List<Lease> taken = new ArrayList<>();
        for (Lease one : found) {
            H2Sql.update(connection, take, relay, EntryRows.toMicros(lease), one.shard());
            taken.add(new Lease(one.shard(), one.epoch() + 1, one.rewind()));
        }
        return taken;
    }

    @Override
    public void giveBack(UUID relay, Collection<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        sessions.transaction("give shards back", connection -> {
            for (int shard : fence.hold(connection, relay, leases)) {
                H2Sql.update(connection, free, shard);
            }
            return true;
        });
    }

    @Override
    public void withdraw(UUID relay) {
        sessions.transaction("withdraw", connection -> H2Sql.update(connection, withdraw, relay));
    }

    @Override
    public void leave(UUID relay) {
        sessions.transaction("leave", connection -> {
            H2Sql.update(connection, withdraw, relay);
            H2Sql.numbers(connection, lockOwn, relay);
            for (Lease lease : own(connection, relay)) {
                H2Sql.update(connection, free, lease.shard());
            }
            return true;
        });
    }

    private static List<Lease> leases(ResultSet rows) throws SQLException {
        List<Lease> leases = new ArrayList<>();
        while (rows.next()) {
            leases.add(new Lease(rows.getInt(1), rows.getLong(2), rows.getLong(3)));
        }
        return leases;
    }
}
