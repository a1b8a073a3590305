package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** How entries come into H2, in the caller's transaction. Thread-safe. */
final class H2Writer implements EntryWriter<Connection> {
    private static final int SLOTS = 256;

    private final Sessions sessions;
    private final H2Flavour flavour;
    private final EntryRows entryRows;
    private final Tables tables;
    private final String lockKey;
    private final String append;
    private final String cancel;
    private final String cancelWaiting;
    private final String countPending;

    H2Writer(Sessions sessions, Tables tables, H2Flavour flavour, EntryRows entryRows) {
        this.sessions = sessions;
        this.flavour = flavour;
        this.entryRows = entryRows;
        this.tables = tables;
        lockKey = tables.sql("SELECT slot FROM {key_lock} WHERE slot = ? FOR UPDATE");
        append = tables.sql("INSERT INTO {outbox} (" + EntryRows.INSERTED + ") VALUES (" + EntryRows.PARAMETERS + ")");
        cancel = tables.sql("DELETE FROM {outbox} WHERE sought = ? AND id = ? AND available_at > ? AND attempts = 0");
        cancelWaiting = tables.sql(
                "DELETE FROM {dead_letter} WHERE id = ? AND available_at > ? AND attempts = 0 AND state = 'WAITING'");
        countPending = tables.sql("SELECT count(*) FROM (SELECT seq FROM {outbox} LIMIT ?)");
    }

    @Override
    public void append(Connection transaction, List<Event> events, Set<OrderKey> strictKeys) {
        try {
            Transactions.require(transaction);
            lock(transaction, strictKeys);
            if (!events.isEmpty()) {
                insert(transaction, events);
            }
        } catch (SQLException e) {
            throw SqlErrors.translate("append " + events.size() + " event(s) to the outbox", e);
        }
    }

    /** Sorted, so that two transactions cannot wait for each other. Keys that share a slot wait for each other. */
    private void lock(Connection transaction, Set<OrderKey> keys) throws SQLException {
        List<Integer> slots = keys.stream()
                .map(key -> (int) Math.floorMod(tables.lockId(key.destination() + "\n" + key.key()), (long) SLOTS))
                .distinct()
                .sorted()
                .toList();
        for (int slot : slots) {
            H2Sql.numbers(transaction, lockKey, slot);
        }
    }

    private void insert(Connection transaction, List<Event> events) throws SQLException {
        flavour.announceAppend(transaction);
        try (PreparedStatement statement = transaction.prepareStatement(append)) {
            for (Event event : events) {
                entryRows.bind(statement, 1, event);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** By this machine's clock: H2's stands still from the first statement of a transaction on. */
    @Override
    public boolean cancel(Connection transaction, UUID id) {
        try {
            Transactions.require(transaction);
            OffsetDateTime now = EntryRows.atUtc(Instant.now());
            int cancelled = H2Sql.update(transaction, cancel, id.toString(), id, now)
                    + H2Sql.update(transaction, cancelWaiting, id, now);
            return cancelled > 0;
        } catch (SQLException e) {
            throw SqlErrors.translate("cancel event " + id, e);
        }
    }

    @Override
    public long countPending(long atMost) {
        return sessions.autocommit(
                "count what is pending", connection -> H2Sql.number(connection, countPending, atMost));
    }
}
