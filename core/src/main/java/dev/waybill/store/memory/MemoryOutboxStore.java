package dev.waybill.store.memory;

import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.operations.Administration;
import dev.waybill.operations.Operations;
import dev.waybill.replay.Replays;
import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.Housekeeping;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.store.Ownership;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.ShardSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The reference store: the whole contract in memory, under one lock, by the clock that it is given. Thread-safe.
 *
 * <p>Transactions behave like a database's: a sequence is drawn when an event is appended and seen when its transaction
 * commits, so lower sequences may appear after higher ones, and rollbacks leave gaps. Nothing is durable.
 */
public final class MemoryOutboxStore implements OutboxStore, EntryWriter<MemoryTransaction>, Administration {
    private static final Comparator<OrderKey> KEY_ORDER =
            Comparator.comparing(OrderKey::destination).thenComparing(OrderKey::key);

    private final Tables tables;
    private final Object lock;
    private final OutboxTable outbox;
    private final Graveyard graveyard;
    private final LeaseTable leases;
    private final Changes changes;
    private final LockTable locks;
    private final Housekeeping housekeeping;
    private final MemoryInbox inbox;
    private final Set<String> writers = new LinkedHashSet<>();
    private long lastTransaction;

    /** A store that is empty and keeps deliveries for a day; the clock stands for the database's. */
    public MemoryOutboxStore(InstantSource clock) {
        this(clock, MemoryStoreSettings.defaults());
    }

    /**
     * A store that is empty.
     *
     * @param clock     stands for the database's
     * @param retention how long deliveries are kept; zero: they leave no trace
     */
    public MemoryOutboxStore(InstantSource clock, Duration retention) {
        this(clock, MemoryStoreSettings.defaults().withRetention(retention));
    }

    /** A store that is empty; the clock stands for the database's. */
    public MemoryOutboxStore(InstantSource clock, MemoryStoreSettings settings) {
        tables = new Tables(clock, settings);
        lock = tables.lock;
        outbox = tables.outbox;
        graveyard = tables.graveyard;
        leases = tables.leases;
        changes = new Changes(tables);
        locks = new LockTable(lock);
        housekeeping = new MemoryHousekeeping(tables);
        inbox = new MemoryInbox(this, tables, locks);
    }

    public MemoryTransaction begin() {
        synchronized (lock) {
            return new MemoryTransaction(this, "transaction " + ++lastTransaction);
        }
    }

    /** The inbox of a consumer, in whose transactions effects take place; this store is its siding. */
    public InboxStore<MemoryTransaction> inbox() {
        return inbox;
    }

    /** Lets scans see that the transaction writes. */
    void announce(MemoryTransaction transaction) {
        writers.add(transaction.name());
    }

    /** Whether a transaction holds the strict key, so that {@link #append} of another one would wait for it. */
    public boolean isLocked(OrderKey key) {
        synchronized (lock) {
            return locks.isLocked(key);
        }
    }

    /** Whether a transaction has claimed the event, so that claims of others would wait for it. */
    public boolean isLocked(InboxKey key) {
        synchronized (lock) {
            return locks.isLocked(key);
        }
    }

    /** Whether a transaction is cancelling the event, so that {@link #cancel} of another one would wait for it. */
    public boolean isLocked(UUID eventId) {
        synchronized (lock) {
            return locks.isLocked(eventId);
        }
    }

    @Override
    public void append(MemoryTransaction transaction, List<Event> events, Set<OrderKey> strictKeys) {
        synchronized (lock) {
            transaction.requireOpen();
            if (!strictKeys.isEmpty()) {
                lockSorted(transaction, strictKeys);
            }
            if (events.isEmpty()) {
                return;
            }
            announce(transaction);
            Instant now = tables.now();
            for (Event event : events) {
                transaction.append(outbox.nextSequence(), event, now);
            }
        }
    }

    private void lockSorted(MemoryTransaction transaction, Set<OrderKey> keys) {
        List<OrderKey> sorted = new ArrayList<>(keys);
        sorted.sort(KEY_ORDER);
        for (OrderKey key : sorted) {
            locks.lock(transaction, key);
        }
    }

    /** {@inheritDoc} Waits while another transaction is cancelling the same event. */
    @Override
    public boolean cancel(MemoryTransaction transaction, UUID id) {
        synchronized (lock) {
            transaction.requireOpen();
            locks.lock(transaction, id);
            List<Row> rows = new ArrayList<>(outbox.findDelayed(id));
            rows.addAll(graveyard.findWaiting(id));
            return transaction.cancel(id, rows, tables.now());
        }
    }

    void commit(MemoryTransaction transaction) {
        synchronized (lock) {
            transaction.applyTo(tables);
            end(transaction);
        }
    }

    void rollback(MemoryTransaction transaction) {
        synchronized (lock) {
            end(transaction);
        }
    }

    private void end(MemoryTransaction transaction) {
        transaction.end();
        writers.remove(transaction.name());
        locks.releaseAll(transaction);
    }

    @Override
    public Ownership renew(UUID relay, Duration lease) {
        synchronized (lock) {
            Instant now = tables.now();
            return leases.renew(relay, now, now.plus(lease));
        }
    }

    @Override
    public List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease) {
        synchronized (lock) {
            Instant now = tables.now();
            return leases.take(relay, among, atMost, now, now.plus(lease));
        }
    }

    @Override
    public List<Lease> retake(UUID relay, Duration lease) {
        synchronized (lock) {
            return leases.retake(relay, tables.now().plus(lease));
        }
    }

    @Override
    public void giveBack(UUID relay, Collection<Lease> given) {
        synchronized (lock) {
            leases.giveBack(relay, given);
        }
    }

    @Override
    public void withdraw(UUID relay) {
        synchronized (lock) {
            leases.withdraw(relay);
        }
    }

    @Override
    public void leave(UUID relay) {
        synchronized (lock) {
            leases.leave(relay);
        }
    }

    @Override
    public Scan scan(UUID relay, List<ScanCursor> cursors) {
        synchronized (lock) {
            Instant now = tables.now();
            List<ShardPage> pages = new ArrayList<>(cursors.size());
            for (ScanCursor cursor : cursors) {
                int shard = cursor.shard();
                pages.add(outbox.shard(shard).scan(cursor, leases.lease(shard), leases.isOwner(relay, shard), now));
            }
            return new Scan(pages, writers, outbox.lastSequence(), tables.pausedDestinations.keySet());
        }
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        synchronized (lock) {
            Instant now = tables.now();
            List<LanePage> pages = new ArrayList<>(lanes.size());
            for (LaneCursor lane : lanes) {
                pages.add(outbox.shard(lane.shard()).readLane(lane, now));
            }
            return pages;
        }
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
        synchronized (lock) {
            Instant now = tables.now();
            List<Entry> entries = new ArrayList<>();
            for (KeyCursor key : keys) {
                for (Row row : outbox.firstOf(key, limit)) {
                    entries.add(row.read(now));
                }
            }
            return entries;
        }
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        synchronized (lock) {
            Instant now = tables.now();
            List<Entry> entries = new ArrayList<>(sequences.size());
            for (long sequence : new TreeSet<>(sequences)) {
                Row row = outbox.find(shard, sequence);
                if (row != null) {
                    entries.add(row.read(now));
                }
            }
            return entries;
        }
    }

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        synchronized (lock) {
            return outbox.readDue(shards, after, limit, tables.now());
        }
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        synchronized (lock) {
            return graveyard.readParked(shards);
        }
    }

    @Override
    public Set<Integer> settle(UUID relay, Collection<Lease> held, List<Outcome> outcomes) {
        synchronized (lock) {
            return changes.settle(relay, held, outcomes, tables.now());
        }
    }

    @Override
    public OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        synchronized (lock) {
            return changes.hold(relay, lease, stretch, limit);
        }
    }

    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        synchronized (lock) {
            return changes.restore(relay, lease, key, limit, tables.now());
        }
    }

    @Override
    public int advanceReplays() {
        return housekeeping.advanceReplays();
    }

    @Override
    public boolean hasRunningReplays() {
        return housekeeping.hasRunningReplays();
    }

    @Override
    public int clean() {
        return housekeeping.clean();
    }

    @Override
    public long countPending(long atMost) {
        synchronized (lock) {
            return Math.min(atMost, outbox.size());
        }
    }

    @Override
    public DeadLetters deadLetters() {
        return new MemoryDeadLetters(tables);
    }

    @Override
    public Operations operations() {
        return new MemoryOperations(this, tables);
    }

    @Override
    public Replays replays() {
        return new MemoryReplays(tables);
    }

    @Override
    public AuditTrail auditTrail() {
        return (before, limit) -> {
            synchronized (lock) {
                return tables.audit.newest(before, limit);
            }
        };
    }
}
