package dev.waybill.store.jdbc;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryReader;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.jdbc.MariaSql.Place;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** How a relay reads entries, on MariaDB: autocommit statements that lock nothing in the outbox. Thread-safe. */
final class MariaReader implements EntryReader {
    private final MariaSessions sessions;
    private final Tables tables;
    private final MariaScan scan;
    private final MariaDue due;
    private final String firstOfKey;

    MariaReader(
            MariaSessions sessions, Tables tables, MariaWriters writers, MariaFlavour flavour, EntryRows entryRows) {
        this.sessions = sessions;
        this.tables = tables;
        scan = new MariaScan(sessions, tables, writers, entryRows);
        due = new MariaDue(sessions, tables, flavour, scan);
        firstOfKey = tables.sql("""
                (SELECT %s FROM {outbox} FORCE INDEX (%soutbox_shard)
                WHERE shard = ? AND seq BETWEEN ? AND ? AND destination = ? AND event_key = ? ORDER BY seq LIMIT ?)
                """.formatted(MariaSql.ENTRY, tables.prefix()));
    }

    @Override
    public Scan scan(UUID relay, List<ScanCursor> cursors) {
        return sessions.read("scan the outbox", connection -> scan.scan(connection, relay, cursors));
    }

    @Override
    public Scan peek(UUID relay, List<ScanCursor> cursors) {
        return sessions.read("look into the outbox", connection -> scan.peek(connection, relay, cursors));
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        return sessions.read("read lanes", connection -> scan.readLanes(connection, lanes));
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
        if (keys.isEmpty()) {
            return List.of();
        }
        String sql = MariaSql.union(EntryRows.COLUMN_COUNT, Collections.nCopies(keys.size(), firstOfKey));
        return sessions.read("read keys", connection -> {
            try (PreparedStatement statement = sessions.prepareRead(connection, sql)) {
                int parameter = 1;
                for (KeyCursor stretch : keys) {
                    OrderKey key = stretch.key();
                    statement.setInt(parameter++, key.shard());
                    statement.setLong(parameter++, stretch.from());
                    statement.setLong(parameter++, stretch.to());
                    statement.setString(parameter++, key.destination());
                    statement.setString(parameter++, key.key());
                    statement.setInt(parameter++, limit);
                }
                List<Entry> entries = scan.entries(statement);
                entries.sort(Comparator.comparingLong(Entry::sequence));
                return entries;
            }
        });
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        if (sequences.isEmpty()) {
            return List.of();
        }
        List<Place> places =
                sequences.stream().map(sequence -> new Place(shard, sequence)).toList();
        return sessions.read("read entries", connection -> scan.read(connection, places));
    }

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        return sessions.read("read what is due", connection -> due.read(connection, shards, after, limit));
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        if (shards.isEmpty()) {
            return List.of();
        }
        String sql = tables.sql("SELECT destination, event_key, shard, state FROM {parked_key} WHERE shard IN ("
                + MariaSql.numbers(shards) + ")");
        return sessions.read("read parked keys", connection -> {
            try (PreparedStatement statement = sessions.prepareRead(connection, sql);
                    ResultSet rows = statement.executeQuery()) {
                return parked(rows);
            }
        });
    }

    private static List<ParkedKey> parked(ResultSet rows) throws SQLException {
        List<ParkedKey> keys = new ArrayList<>();
        while (rows.next()) {
            keys.add(ParkedKeyRows.parkedKey(rows));
        }
        return keys;
    }
}
