package dev.waybill.store.memory;

import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.OrderKey;
import dev.waybill.store.memory.InboxTable.Mark;
import dev.waybill.store.memory.InboxTable.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The inbox of a {@link MemoryOutboxStore}, whose outbox is the siding. Thread-safe. */
final class MemoryInbox implements InboxStore<MemoryTransaction> {
    private final MemoryOutboxStore store;
    private final Tables tables;
    private final LockTable locks;

    MemoryInbox(MemoryOutboxStore store, Tables tables, LockTable locks) {
        this.store = store;
        this.tables = tables;
        this.locks = locks;
    }

    @Override
    public <R> R inTransaction(Work<MemoryTransaction, R> work) throws Exception {
        try (MemoryTransaction transaction = store.begin()) {
            R result = work.run(transaction);
            transaction.commit();
            return result;
        }
    }

    @Override
    public Claim claim(MemoryTransaction transaction, InboxKey key, Origin origin) {
        return claim(transaction, key, origin, State.DONE, Duration.ZERO);
    }

    @Override
    public boolean isClaimed(MemoryTransaction transaction, InboxKey key) {
        synchronized (tables.lock) {
            transaction.requireOpen();
            Mark mark = transaction.find(key, tables.inbox);
            return mark != null && mark.state() == State.DONE;
        }
    }

    @Override
    public Claim claimAside(MemoryTransaction transaction, InboxKey key) {
        return claim(transaction, key, Origin.SOURCE, State.ASIDE, Duration.ZERO);
    }

    @Override
    public Claim lease(MemoryTransaction transaction, InboxKey key, Origin origin, Duration duration) {
        return claim(transaction, key, origin, origin == Origin.SIDING ? State.RETRYING : State.IN_PROGRESS, duration);
    }

    private Claim claim(MemoryTransaction transaction, InboxKey key, Origin origin, State state, Duration duration) {
        synchronized (tables.lock) {
            Mark mark = lock(transaction, key);
            Instant now = tables.now();
            if (mark != null) {
                if (mark.state() == State.DONE) {
                    return Claim.done();
                }
                if (origin == Origin.SOURCE && (mark.state() == State.ASIDE || mark.state() == State.RETRYING)) {
                    return Claim.aside();
                }
                if (mark.isLeased() && mark.until().isAfter(now)) {
                    return Claim.busy(Duration.between(now, mark.until()));
                }
            }
            long epoch = mark == null ? 0 : mark.epoch();
            boolean leases = state == State.IN_PROGRESS || state == State.RETRYING;
            transaction.note(key, new Mark(state, leases ? epoch + 1 : epoch, now.plus(duration), now));
            return leases ? Claim.leased(epoch + 1) : Claim.taken();
        }
    }

    @Override
    public boolean complete(MemoryTransaction transaction, InboxKey key, long epoch) {
        synchronized (tables.lock) {
            Mark mark = leased(transaction, key, epoch);
            if (mark == null) {
                return false;
            }
            transaction.note(key, new Mark(State.DONE, epoch, mark.until(), tables.now()));
            return true;
        }
    }

    @Override
    public boolean release(MemoryTransaction transaction, InboxKey key, long epoch, Origin origin) {
        synchronized (tables.lock) {
            Mark mark = leased(transaction, key, epoch);
            if (mark == null) {
                return false;
            }
            Instant now = tables.now();
            // Not forgotten, even if it was unknown: the next lease needs a higher epoch.
            State state = origin == Origin.SIDING ? State.ASIDE : State.IN_PROGRESS;
            transaction.note(key, new Mark(state, epoch, now, now));
            return true;
        }
    }

    private @Nullable Mark leased(MemoryTransaction transaction, InboxKey key, long epoch) {
        Mark mark = lock(transaction, key);
        return mark != null && mark.isLeased() && mark.epoch() == epoch ? mark : null;
    }

    private @Nullable Mark lock(MemoryTransaction transaction, InboxKey key) {
        transaction.requireOpen();
        locks.lock(transaction, key);
        return transaction.find(key, tables.inbox);
    }

    @Override
    public Set<InboxKey> seen(Collection<InboxKey> keys) {
        synchronized (tables.lock) {
            Set<InboxKey> seen = new HashSet<>();
            for (InboxKey key : keys) {
                Mark mark = tables.inbox.find(key);
                if (mark != null && mark.state() != State.IN_PROGRESS) {
                    seen.add(key);
                }
            }
            return seen;
        }
    }

    @Override
    public Duration retention() {
        return tables.inboxRetention;
    }

    @Override
    public boolean isAside(MemoryTransaction transaction, OrderKey lane) {
        synchronized (tables.lock) {
            transaction.requireOpen();
            return !tables.outbox.firstOf(KeyCursor.all(lane), 1).isEmpty()
                    || tables.graveyard.plot(lane) != null
                    || transaction.adds(lane);
        }
    }

    @Override
    public void setAside(MemoryTransaction transaction, Event event, int replay, Setback setback) {
        synchronized (tables.lock) {
            transaction.requireOpen();
            Instant now = tables.now();
            String key = event.key();
            OrderKey lane = key == null ? null : new OrderKey(event.destination(), key);
            boolean behind = false;
            if (lane != null) {
                // Two that die at once must not both park the key.
                locks.lock(transaction, lane);
                behind = isAside(transaction, lane);
            }
            store.announce(transaction);
            Row row = Row.aside(tables.outbox.nextSequence(), event, replay, setback, behind, now);
            if (setback.isDead() && !behind) {
                transaction.bury(row, now);
            } else {
                transaction.append(row);
            }
        }
    }

    @Override
    public List<Entry> stored(String consumer, long afterSequence, int limit) {
        synchronized (tables.lock) {
            return tables.stored(consumer, afterSequence).limit(limit).toList();
        }
    }
}
