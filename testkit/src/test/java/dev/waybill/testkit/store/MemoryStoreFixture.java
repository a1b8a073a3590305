package dev.waybill.testkit.store;

import dev.waybill.event.Event;
import dev.waybill.operations.Administration;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The in-memory store on a clock that moves when a test says so. */
final class MemoryStoreFixture implements StoreFixture {
    private final ManualClock clock = new ManualClock();
    private final MemoryOutboxStore store;

    MemoryStoreFixture(Duration retention) {
        store = new MemoryOutboxStore(clock, retention);
    }

    @Override
    public OutboxStore store() {
        return store;
    }

    @Override
    public Administration administration() {
        return store;
    }

    @Override
    public Transaction begin() {
        return new Bound(store, store.begin());
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public void passTime(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public Duration replayMargin() {
        return Duration.ZERO;
    }

    @Override
    public long countPending(long atMost) {
        return store.countPending(atMost);
    }

    @Override
    public void close() {}

    private record Bound(MemoryOutboxStore store, MemoryTransaction transaction) implements Transaction {

        @Override
        public void append(List<Event> events, Set<OrderKey> strictKeys) {
            store.append(transaction, events, strictKeys);
        }

        @Override
        public boolean cancel(UUID id) {
            return store.cancel(transaction, id);
        }

        @Override
        public Object savepoint() {
            return transaction.savepoint();
        }

        @Override
        public void rollbackTo(Object savepoint) {
            transaction.rollbackTo((MemoryTransaction.Savepoint) savepoint);
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public void rollback() {
            transaction.rollback();
        }

        @Override
        public void close() {
            transaction.close();
        }
    }
}
