package dev.waybill.store.memory;

import dev.waybill.event.Event;
import dev.waybill.store.NoTransactionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A transaction of the {@link MemoryOutboxStore}: what it changes is seen by others when it commits, or never.
 *
 * <p>Used by one thread at a time. Closing one that has not ended rolls it back.
 */
public final class MemoryTransaction implements AutoCloseable {

    /** A point to roll back to; valid until the transaction ends or is rolled back to an earlier one. */
    public static final class Savepoint {
        private final MemoryTransaction transaction;
        private final int changes;

        private Savepoint(MemoryTransaction transaction, int changes) {
            this.transaction = transaction;
            this.changes = changes;
        }
    }

    private enum Kind {
        APPEND,
        CANCEL
    }

    private record Change(Kind kind, Row row) {}

    private final MemoryOutboxStore store;
    private final String name;
    private final List<Change> changes = new ArrayList<>();
    private boolean open = true;

    MemoryTransaction(MemoryOutboxStore store, String name) {
        this.store = store;
        this.name = name;
    }

    public void commit() {
        requireOpen();
        store.commit(this);
    }

    public void rollback() {
        requireOpen();
        changes.clear();
        store.rollback(this);
    }

    public Savepoint savepoint() {
        requireOpen();
        return new Savepoint(this, changes.size());
    }

    /** Drops what was changed after the savepoint; the transaction goes on and keeps its locks. */
    public void rollbackTo(Savepoint savepoint) {
        requireOpen();
        if (savepoint.transaction != this || savepoint.changes > changes.size()) {
            throw new IllegalArgumentException("The savepoint is not, or no longer, one of " + name + ".");
        }
        changes.subList(savepoint.changes, changes.size()).clear();
    }

    @Override
    public void close() {
        if (open) {
            rollback();
        }
    }

    void requireOpen() {
        if (!open) {
            throw new NoTransactionException(name + " has ended; begin another one with MemoryOutboxStore.begin().");
        }
    }

    void end() {
        open = false;
    }

    void append(long sequence, Event event, Instant now) {
        changes.add(new Change(Kind.APPEND, Row.appended(sequence, event, now)));
    }

    /** Cancels those of the rows, and of the transaction's own ones, that are of the event and still may be. */
    boolean cancel(UUID id, List<Row> committed, Instant now) {
        List<Row> candidates = new ArrayList<>(committed);
        List<Row> cancelled = new ArrayList<>();
        for (Change change : changes) {
            if (change.kind == Kind.CANCEL) {
                cancelled.add(change.row);
            } else if (change.row.event.id().equals(id)) {
                candidates.add(change.row);
            }
        }
        boolean found = false;
        for (Row row : candidates) {
            if (row.isDelayed(now) && !cancelled.contains(row)) {
                changes.add(new Change(Kind.CANCEL, row));
                found = true;
            }
        }
        return found;
    }

    void applyTo(OutboxTable outbox, Graveyard graveyard) {
        for (Change change : changes) {
            if (change.kind == Kind.APPEND) {
                outbox.add(change.row);
            } else {
                outbox.remove(change.row);
                graveyard.removeWaiting(change.row);
            }
        }
    }

    String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
