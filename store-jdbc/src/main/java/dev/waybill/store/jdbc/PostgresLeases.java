package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.Ownership;
import dev.waybill.store.ShardSet;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Who owns which shard, on PostgreSQL: one autocommit statement for each operation.
 *
 * <p>Every statement that locks several lease rows does so in the order of shards, as the settles do: a renewal and a
 * settle of the same relay could otherwise wait for each other.
 */
final class PostgresLeases implements LeaseStore {
    private static final String INTERVAL = "CAST(? AS bigint) * interval '1 microsecond'";

    // A pool makes new connections without a word, so a relay may not notice that a standby has taken over which has
    // not
    // heard of the last changes: there sequences are drawn again, and what it has read or delivered means other
    // entries.
    // So the low bits of an epoch name the server that gave it, by the time of its start, and a lease that another one
    // gave
    // is none: neither for its owner nor for those who look for a free one.
    // In a query of its own, or it would be computed for every lease.
    private static final String SERVER =
            "(SELECT (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint & 16777215)";

    /** Whether this server gave the lease {@code l}. */
    static final String GIVEN_HERE = "(l.epoch & 16777215) = " + SERVER;

    private static final String NEXT_EPOCH = "(((l.epoch >> 24) + 1) << 24) | " + SERVER;

    private final Sessions sessions;
    private final String renew;
    private final String take;
    private final String retake;
    private final String giveBack;
    private final String withdraw;
    private final String leave;

    PostgresLeases(Sessions sessions, PostgresStatements statements) {
        this.sessions = sessions;
        // Another relay's announcement is counted by the snapshot, its own is not in there yet. What expired long ago
        // is removed only if nobody else is at it: two renewals must not wait for each other.
        renew = statements.withSettings("""
                WITH announced AS (
                    INSERT INTO {relay} AS r (id, expires_at)
                    VALUES (?, clock_timestamp() + %1$s)
                    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
                ), expired AS MATERIALIZED (
                    SELECT id FROM {relay} WHERE expires_at < clock_timestamp() - interval '1 hour' AND id <> ?
                    FOR UPDATE SKIP LOCKED
                ), forgotten AS (
                    DELETE FROM {relay} r USING expired e WHERE r.id = e.id
                ), mine AS MATERIALIZED (
                    SELECT l.shard FROM {lease} l WHERE l.owner = ? AND %2$s ORDER BY l.shard FOR NO KEY UPDATE
                ), renewed AS (
                    UPDATE {lease} l SET expires_at = clock_timestamp() + %1$s
                    FROM mine m WHERE l.shard = m.shard
                    RETURNING l.shard, l.epoch, l.rewind
                )
                SELECT NULL::int AS shard, NULL::bigint AS epoch,
                    (SELECT count(*) FROM {relay} WHERE id <> ? AND expires_at > clock_timestamp()) + 1 AS number
                UNION ALL
                SELECT shard, epoch, rewind FROM renewed
                """.formatted(INTERVAL, GIVEN_HERE));
        take = statements.withSettings("""
                WITH free AS MATERIALIZED (
                    SELECT l.shard FROM {lease} l
                    WHERE (l.owner IS NULL OR l.expires_at <= clock_timestamp() OR NOT %s)
                        AND (CAST(? AS bigint) >> l.shard::int) & 1 = 1
                    ORDER BY l.shard LIMIT ? FOR NO KEY UPDATE SKIP LOCKED
                )
                UPDATE {lease} l SET owner = ?, epoch = %s, expires_at = clock_timestamp() + %s
                FROM free f WHERE l.shard = f.shard
                RETURNING l.shard, l.epoch, l.rewind
                """.formatted("(" + GIVEN_HERE + ")", NEXT_EPOCH, INTERVAL));
        // Waits for a settle of ours that still runs, because that one shares the row; one that comes later finds a
        // newer epoch.
        retake = statements.withSettings("""
                WITH mine AS MATERIALIZED (
                    SELECT shard FROM {lease} WHERE owner = ? ORDER BY shard FOR NO KEY UPDATE
                )
                UPDATE {lease} l SET epoch = %s, expires_at = clock_timestamp() + %s
                FROM mine m WHERE l.shard = m.shard
                RETURNING l.shard, l.epoch, l.rewind
                """.formatted(NEXT_EPOCH, INTERVAL));
        giveBack = statements.withSettings("""
                WITH given AS MATERIALIZED (
                    SELECT l.shard FROM {lease} l
                    JOIN unnest(?::smallint[], ?::bigint[]) AS g (shard, epoch)
                        ON l.shard = g.shard AND l.epoch = g.epoch
                    WHERE l.owner = ? ORDER BY l.shard FOR NO KEY UPDATE OF l
                )
                UPDATE {lease} l SET owner = NULL FROM given g WHERE l.shard = g.shard
                RETURNING l.shard
                """);
        withdraw = statements.withSettings("DELETE FROM {relay} WHERE id = ? RETURNING id");
        leave = statements.withSettings("""
                WITH gone AS (
                    DELETE FROM {relay} WHERE id = ?
                ), mine AS MATERIALIZED (
                    SELECT shard FROM {lease} WHERE owner = ? ORDER BY shard FOR NO KEY UPDATE
                )
                UPDATE {lease} l SET owner = NULL FROM mine m WHERE l.shard = m.shard
                RETURNING l.shard
                """);
    }

    @Override
    public Ownership renew(UUID relay, Duration lease) {
        return sessions.autocommit("renew leases", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, renew)) {
                long micros = EntryRows.toMicros(lease);
                statement.setObject(1, relay);
                statement.setLong(2, micros);
                statement.setObject(3, relay);
                statement.setObject(4, relay);
                statement.setLong(5, micros);
                statement.setObject(6, relay);
                ResultSet rows = PostgresStatements.query(statement);
                int live = 0;
                List<Lease> leases = new ArrayList<>();
                while (rows.next()) {
                    if (rows.getObject(1) == null) {
                        live = rows.getInt(3);
                    } else {
                        leases.add(lease(rows));
                    }
                }
                return new Ownership(live, leases);
            }
        });
    }

    @Override
    public List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease) {
        return sessions.autocommit("take shards", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, take)) {
                statement.setLong(1, among.bits());
                statement.setInt(2, Math.max(0, atMost));
                statement.setObject(3, relay);
                statement.setLong(4, EntryRows.toMicros(lease));
                return leases(PostgresStatements.query(statement));
            }
        });
    }

    @Override
    public List<Lease> retake(UUID relay, Duration lease) {
        return sessions.autocommit("take its own shards anew", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, retake)) {
                statement.setObject(1, relay);
                statement.setLong(2, EntryRows.toMicros(lease));
                return leases(PostgresStatements.query(statement));
            }
        });
    }

    @Override
    public void giveBack(UUID relay, Collection<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        sessions.autocommit("give shards back", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, giveBack)) {
                SqlArrays.bindLeases(statement, 1, leases);
                statement.setObject(3, relay);
                return PostgresStatements.query(statement).next();
            }
        });
    }

    @Override
    public void withdraw(UUID relay) {
        sessions.autocommit("withdraw", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, withdraw)) {
                statement.setObject(1, relay);
                return PostgresStatements.query(statement).next();
            }
        });
    }

    @Override
    public void leave(UUID relay) {
        sessions.autocommit("leave", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, leave)) {
                statement.setObject(1, relay);
                statement.setObject(2, relay);
                return PostgresStatements.query(statement).next();
            }
        });
    }

    private static List<Lease> leases(ResultSet rows) throws SQLException {
        List<Lease> leases = new ArrayList<>();
        while (rows.next()) {
            leases.add(lease(rows));
        }
        return leases;
    }

    private static Lease lease(ResultSet rows) throws SQLException {
        return new Lease(rows.getInt(1), rows.getLong(2), rows.getLong(3));
    }
}
