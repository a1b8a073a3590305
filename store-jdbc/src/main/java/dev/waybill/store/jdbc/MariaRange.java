package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backlog on MariaDB, read by sequence for all shards at once: a short statement instead of a union with parts for each
 * shard. Immutable and thread-safe.
 *
 * <p>Leases and pauses are read after the entries: they may be of a later moment, never of an earlier one.
 */
final class MariaRange {
    private static final int LEASE = 0;
    private static final int PAUSE = 1;
    private static final int DRAWN = 2;
    private static final int COLUMNS = 5;

    private final MariaSessions sessions;
    private final Tables tables;
    private final EntryRows entryRows;

    MariaRange(MariaSessions sessions, Tables tables, EntryRows entryRows) {
        this.sessions = sessions;
        this.tables = tables;
        this.entryRows = entryRows;
    }

    /** A scan without a word about writers, or null if it cannot be read so. */
    @Nullable
    Scan peek(Connection connection, UUID relay, List<ScanCursor> cursors) throws SQLException {
        if (!RangeRows.isWanted(cursors)) {
            return null;
        }
        RangeRows found = read(connection, cursors);
        return found == null ? null : scan(connection, relay, cursors, found);
    }

    private @Nullable RangeRows read(Connection connection, List<ScanCursor> cursors) throws SQLException {
        long cap = cap(connection, cursors);
        try (PreparedStatement statement = sessions.prepareRead(connection, sql(cursors, cap))) {
            int parameter = 1;
            for (String destination : cursors.get(0).skipped()) {
                statement.setString(parameter++, destination);
            }
            return RangeRows.read(statement, cursors, cap, entryRows);
        }
    }

    private long cap(Connection connection, List<ScanCursor> cursors) throws SQLException {
        long decided = cursors.get(0).decided();
        if (!RangeRows.isSifted(cursors)) {
            return decided;
        }
        String sql = tables.sql("""
                SELECT seq FROM {outbox} FORCE INDEX (PRIMARY) WHERE seq > %d AND seq <= %d ORDER BY seq LIMIT 1 OFFSET %d
                """.formatted(Backlog.start(cursors), decided, RangeRows.longest(cursors) - 1));
        try (PreparedStatement statement = sessions.prepareRead(connection, sql);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : decided;
        }
    }

    private String sql(List<ScanCursor> cursors, long cap) {
        String fitting = " CASE WHEN GREATEST(payload_size, COALESCE(inflated_size, 0)) <= " + Backlog.share(cursors)
                + " THEN payload END,";
        int skipped = cursors.get(0).skipped().size();
        return tables.sql("""
                SELECT %s FROM {outbox} FORCE INDEX (PRIMARY)
                WHERE seq > %d AND seq <= %d AND shard IN (%s)%s ORDER BY seq LIMIT %d
                """.formatted(
                        MariaSql.ENTRY.replace(" payload,", fitting),
                        Backlog.start(cursors),
                        cap,
                        shards(cursors),
                        skipped == 0 ? "" : " AND destination NOT IN (?" + ", ?".repeat(skipped - 1) + ")",
                        RangeRows.most(cursors)));
    }

    private static String shards(List<ScanCursor> cursors) {
        return MariaSql.numbers(cursors.stream().map(ScanCursor::shard).toList());
    }

    private Scan scan(Connection connection, UUID relay, List<ScanCursor> cursors, RangeRows found)
            throws SQLException {
        List<String> parts = List.of(
                "(SELECT %d, shard, epoch, owner, rewind FROM {lease} WHERE shard IN (%s))"
                        .formatted(LEASE, shards(cursors)),
                "(SELECT %d, 0, 0, destination, 0 FROM {pause})".formatted(PAUSE),
                MariaScan.drawn(DRAWN, 0, cursors));
        Map<Integer, Lease> leases = new HashMap<>();
        Set<Integer> owned = new HashSet<>();
        Set<String> paused = new HashSet<>();
        long drawn = 0;
        try (PreparedStatement statement =
                        sessions.prepareRead(connection, tables.sql(MariaSql.union(COLUMNS, parts)));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                switch (rows.getInt(1)) {
                    case LEASE -> {
                        int shard = rows.getInt(2);
                        leases.put(shard, new Lease(shard, rows.getLong(3), rows.getLong(5)));
                        if (relay.toString().equals(rows.getString(4))) {
                            owned.add(shard);
                        }
                    }
                    case PAUSE -> paused.add(rows.getString(4));
                    default -> drawn = rows.getLong(3);
                }
            }
        }
        List<ShardPage> pages = new ArrayList<>(cursors.size());
        for (ScanCursor cursor : cursors) {
            Lease lease = leases.get(cursor.shard());
            if (lease == null) {
                throw new SQLException("The lease of shard " + cursor.shard() + " is missing", "42S02");
            }
            pages.add(found.page(cursor, lease, owned.contains(cursor.shard())));
        }
        return new Scan(pages, Collections.emptySet(), drawn, paused);
    }
}
