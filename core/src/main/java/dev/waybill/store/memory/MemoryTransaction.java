package dev.waybill.store.memory;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxKey;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OrderKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    /** What a commit does, under the store's lock. */
    private sealed interface Change {
        void applyTo(Tables tables);

        record Append(Row row) implements Change {
            @Override
            public void applyTo(Tables tables) {
                tables.outbox.add(row);
            }
        }

        record Cancel(Row row) implements Change {
            @Override
            public void applyTo(Tables tables) {
                tables.outbox.remove(row);
                tables.graveyard.removeWaiting(row);
            }
        }

        record Bury(Row row, Instant now) implements Change {
            @Override
            public void applyTo(Tables tables) {
                tables.graveyard.bury(row, DeadLetterPolicy.PARK, now);
                tables.leases.rewind(row.shard);
            }
        }

        record Note(InboxKey key, InboxTable.Mark mark) implements Change {
            @Override
            public void applyTo(Tables tables) {
                tables.inbox.put(key, mark);
            }
        }

        record Effect(Runnable effect) implements Change {
            @Override
            public void applyTo(Tables tables) {
                effect.run();
            }
        }
    }

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

    /** Adds an effect of the application's own, which happens with the commit. It must be quick and not throw. */
    public void onCommit(Runnable effect) {
        requireOpen();
        changes.add(new Change.Effect(effect));
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
        append(Row.appended(sequence, event, now));
    }

    void append(Row row) {
        changes.add(new Change.Append(row));
    }

    void bury(Row row, Instant now) {
        changes.add(new Change.Bury(row, now));
    }

    /** Whether it puts something of the key into the store. */
    boolean adds(OrderKey key) {
        return changes.stream()
                .anyMatch(change -> (change instanceof Change.Append append && key.equals(append.row.key))
                        || (change instanceof Change.Bury bury && key.equals(bury.row.key)));
    }

    void note(InboxKey key, InboxTable.Mark mark) {
        changes.add(new Change.Note(key, mark));
    }

    /** What the transaction sees of an event, its own changes included. */
    InboxTable.@Nullable Mark find(InboxKey key, InboxTable committed) {
        InboxTable.Mark mark = committed.find(key);
        for (Change change : changes) {
            if (change instanceof Change.Note note && note.key.equals(key)) {
                mark = note.mark;
            }
        }
        return mark;
    }

    /** Cancels those of the rows, and of the transaction's own ones, that are of the event and still may be. */
    boolean cancel(UUID id, List<Row> committed, Instant now) {
        List<Row> candidates = new ArrayList<>(committed);
        List<Row> cancelled = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.Cancel cancel) {
                cancelled.add(cancel.row);
            } else if (change instanceof Change.Append append
                    && append.row.event.id().equals(id)) {
                candidates.add(append.row);
            }
        }
        boolean found = false;
        for (Row row : candidates) {
            if (row.isDelayed(now) && !cancelled.contains(row)) {
                changes.add(new Change.Cancel(row));
                found = true;
            }
        }
        return found;
    }

    void applyTo(Tables tables) {
        changes.forEach(change -> change.applyTo(tables));
    }

    String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
