package dev.waybill.store.memory;

import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What transactions lock until they end: strict keys, and the ids of events that they cancel. */
final class LockTable {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final Object storeLock;
    private final Map<Object, MemoryTransaction> holders = new HashMap<>();

    LockTable(Object storeLock) {
        this.storeLock = storeLock;
    }

    boolean isLocked(Object what) {
        return holders.containsKey(what);
    }

    /** Waits, without the store's lock, until no other transaction holds it. Call with the store's lock. */
    void lock(MemoryTransaction transaction, Object what) {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        for (MemoryTransaction holder = holders.get(what);
                holder != null && holder != transaction;
                holder = holders.get(what)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new StoreException(
                        what + " is locked by " + holder + ", which did not end within " + MAX_WAIT
                                + "; roll back and try again.",
                        null);
            }
            await(left, what);
        }
        holders.put(what, transaction);
    }

    void releaseAll(MemoryTransaction transaction) {
        if (!holders.isEmpty() && holders.values().removeIf(holder -> holder == transaction)) {
            storeLock.notifyAll();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // lock() is the loop
    private void await(long nanos, Object what) {
        try {
            TimeUnit.NANOSECONDS.timedWait(storeLock, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted while waiting for " + what + "; roll back.", e);
        }
    }
}
