package dev.waybill.testkit.inbox;

import dev.waybill.inbox.InboxStore;
import dev.waybill.operations.Administration;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryStoreSettings;
import dev.waybill.store.memory.MemoryTransaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** The in-memory store by the machine's clock. */
final class MemoryInboxFixture implements InboxFixture<MemoryTransaction> {
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final MemoryOutboxStore store;

    MemoryInboxFixture(Duration retention) {
        store = new MemoryOutboxStore(
                InstantSource.system(), MemoryStoreSettings.defaults().withInboxRetention(retention));
    }

    @Override
    public InboxStore<MemoryTransaction> inbox() {
        return store.inbox();
    }

    @Override
    public OutboxStore siding() {
        return store;
    }

    @Override
    public Administration administration() {
        return store;
    }

    @Override
    public MemoryTransaction begin() {
        return store.begin();
    }

    @Override
    public void commit(MemoryTransaction transaction) {
        transaction.commit();
    }

    @Override
    public void rollback(MemoryTransaction transaction) {
        transaction.rollback();
    }

    @Override
    public void effect(MemoryTransaction transaction, String what) {
        transaction.onCommit(() -> effects.add(what));
    }

    @Override
    public List<String> effects() {
        return effects;
    }

    @Override
    public void passTime(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {}
}
