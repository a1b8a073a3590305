package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.MariaSql.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * How entries come into MariaDB, in the caller's transaction, whatever its isolation. Changes no setting of it.
 * Thread-safe.
 *
 * <p>Applications mostly run in REPEATABLE READ, where a statement that finds nothing by an index locks the gap in which it
 * looked, for everybody. So what is locked here is named by a primary key, and is there.
 */
final class MariaWriter implements EntryWriter<Connection> {
    private static final int KEY_SLOTS = 256;
    private static final int COLUMNS = 12;
    private static final int LARGEST_INSERT = 500;
    private static final int ROW_BYTES = 4_096;

    private final MariaSessions sessions;
    private final Tables tables;
    private final MariaWriters writers;
    private final EntryRows entryRows;
    private final long maxPacket;
    private final String lockKey;
    private final String insert;
    private final String firstRow;
    private final String nextRow;
    private final String find;
    private final String findWaiting;
    private final String cancel;
    private final String cancelWaiting;
    private final String countPending;

    /**
     * A writer.
     *
     * @param maxPacket the server's {@code max_allowed_packet}: no statement may be larger
     */
    MariaWriter(MariaSessions sessions, Tables tables, MariaWriters writers, EntryRows entryRows, long maxPacket) {
        this.sessions = sessions;
        this.tables = tables;
        this.writers = writers;
        this.entryRows = entryRows;
        this.maxPacket = maxPacket;
        lockKey = tables.sql("SELECT slot FROM {key_lock} WHERE slot = ? FOR UPDATE");
        // The slot is locked while the first row is computed, so before its number is drawn. All numbers of a statement
        // are drawn in the order of its rows.
        insert = tables.sql("INSERT INTO {outbox} (" + EntryRows.INSERTED + ", attempts) VALUES ");
        firstRow = "(" + EntryRows.PARAMETERS + ", " + writers.sharedSlot() + ")";
        nextRow = ", (" + EntryRows.PARAMETERS + ", 0)";
        find = tables.sql(
                "SELECT shard, seq FROM {outbox} FORCE INDEX (" + tables.prefix() + "outbox_sought) WHERE sought = ?");
        findWaiting = tables.sql("SELECT shard, seq FROM {dead_letter} WHERE id = ? AND available_at IS NOT NULL");
        cancel = tables.sql("""
                DELETE FROM {outbox}
                WHERE seq = ? AND id = ? AND available_at > UTC_TIMESTAMP(6) AND attempts = 0
                """);
        cancelWaiting = tables.sql("""
                DELETE FROM {dead_letter}
                WHERE seq = ? AND id = ? AND available_at > UTC_TIMESTAMP(6) AND attempts = 0 AND state = 'WAITING'
                """);
        countPending = tables.sql("SELECT count(*) FROM (SELECT seq FROM {outbox} LIMIT ?) some");
    }

    @Override
    public void append(Connection transaction, List<Event> events, Set<OrderKey> strictKeys) {
        try {
            Transactions.require(transaction);
            lock(transaction, strictKeys);
            int from = 0;
            while (from < events.size()) {
                int to = from + fitting(events.subList(from, events.size()));
                insert(transaction, events.subList(from, to));
                from = to;
            }
        } catch (SQLException e) {
            throw SqlErrors.translate("append " + events.size() + " event(s) to the outbox", e);
        }
    }

    /** Sorted, so that two transactions cannot wait for each other. Keys that share a slot wait for each other. */
    private void lock(Connection transaction, Set<OrderKey> keys) throws SQLException {
        List<Integer> slots = keys.stream()
                .map(key -> (int) Math.floorMod(tables.lockId(key.destination() + "\n" + key.key()), (long) KEY_SLOTS))
                .distinct()
                .sorted()
                .toList();
        for (int slot : slots) {
            MariaSql.numbers(transaction, lockKey, slot);
        }
    }

    /** How many of the events fit into one statement. */
    private int fitting(List<Event> events) {
        long bytes = 0;
        int count = 0;
        for (Event event : events) {
            bytes += size(event);
            if (count > 0 && (bytes > maxPacket / 2 || count == LARGEST_INSERT)) {
                return count;
            }
            if (bytes > maxPacket) {
                throw new StoreException(
                        "Event " + event.id() + " needs up to " + bytes + " bytes as a statement, but the server takes "
                                + maxPacket + " (max_allowed_packet). Raise it, or lower OutboxConfig.maxPayloadBytes.",
                        null);
            }
            count++;
        }
        return count;
    }

    /** At most: a byte that is escaped takes two, a character four, and one of a header six. */
    private static long size(Event event) {
        long headers = 0;
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            headers += 8L + header.getKey().length() + header.getValue().length();
        }
        return ROW_BYTES + 6 * headers + 2L * event.payload().size();
    }

    private void insert(Connection transaction, List<Event> events) throws SQLException {
        String sql = insert + firstRow + nextRow.repeat(events.size() - 1);
        try (PreparedStatement statement = transaction.prepareStatement(sql)) {
            int parameter = 1;
            for (Event event : events) {
                entryRows.bind(statement, parameter, event);
                parameter += COLUMNS;
                if (parameter == 1 + COLUMNS) {
                    statement.setInt(parameter++, writers.nextSlot());
                }
            }
            statement.executeUpdate();
        }
    }

    /** Found without a lock and then deleted by primary key, first here, then where a parked key's entries wait. */
    @Override
    public boolean cancel(Connection transaction, UUID id) {
        try {
            Transactions.require(transaction);
            for (Place place : MariaSql.places(transaction, find, id)) {
                if (MariaSql.update(transaction, cancel, place.sequence(), id) > 0
                        || MariaSql.update(transaction, cancelWaiting, place.sequence(), id) > 0) {
                    return true;
                }
            }
            for (Place place : MariaSql.places(transaction, findWaiting, id)) {
                if (MariaSql.update(transaction, cancelWaiting, place.sequence(), id) > 0
                        || MariaSql.update(transaction, cancel, place.sequence(), id) > 0) {
                    return true;
                }
            }
            return false;
        } catch (SQLException e) {
            throw SqlErrors.translate("cancel event " + id, e);
        }
    }

    @Override
    public long countPending(long atMost) {
        return sessions.read("count what is pending", connection -> {
            try (PreparedStatement statement = sessions.prepareRead(connection, countPending)) {
                statement.setLong(1, atMost);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            }
        });
    }
}
