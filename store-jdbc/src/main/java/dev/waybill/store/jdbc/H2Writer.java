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

    private final Tables tables;
    private final String lockKey;
    private final String announce;
    private final String append;
    private final String cancel;
    private final String cancelWaiting;

    H2Writer(Tables tables) {
        this.tables = tables;
        lockKey = tables.sql("SELECT slot FROM {key_lock} WHERE slot = ? FOR UPDATE");
        announce = tables.sql("DELETE FROM {outbox} WHERE shard = -1 AND seq = -1");
        append = tables.sql(
                "INSERT INTO {outbox} (" + EntryRows.INSERTED + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        cancel = tables.sql("DELETE FROM {outbox} WHERE id = ? AND available_at > ? AND attempts = 0");
        cancelWaiting = tables.sql(
                "DELETE FROM {dead_letter} WHERE id = ? AND available_at > ? AND attempts = 0 AND state = 'WAITING'");
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
        // H2 draws the number of a transaction's first row before it lists the transaction as a writer of the table.
        // A relay that looks in between would take the number for one that was rolled back; so the transaction is
        // listed first.
        H2Sql.update(transaction, announce);
        try (PreparedStatement statement = transaction.prepareStatement(append)) {
            for (Event event : events) {
                EntryRows.bind(statement, event);
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
            return H2Sql.update(transaction, cancel, id, now) + H2Sql.update(transaction, cancelWaiting, id, now) > 0;
        } catch (SQLException e) {
            throw SqlErrors.translate("cancel event " + id, e);
        }
    }
}
