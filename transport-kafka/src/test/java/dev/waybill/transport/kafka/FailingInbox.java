package dev.waybill.transport.kafka;

import dev.waybill.inbox.InboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.store.memory.MemoryTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An inbox whose transactions and checks fail on demand, before their work and after it in turn. Thread-safe. */
final class FailingInbox {
    private final InboxStore<MemoryTransaction> store;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();

    FailingInbox(InboxStore<MemoryTransaction> store) {
        this.store = store;
    }

    void fail(boolean from) {
        failing.set(from);
    }

    int failures() {
        return failures.get();
    }

    @SuppressWarnings("unchecked")
    InboxStore<MemoryTransaction> proxy() {
        return (InboxStore<MemoryTransaction>) Proxy.newProxyInstance(
                InboxStore.class.getClassLoader(), new Class<?>[] {InboxStore.class}, (proxy, method, args) -> {
                    boolean fails = failing.get()
                            && (method.getName().equals("inTransaction")
                                    || method.getName().equals("seen"));
                    int number = fails ? failures.incrementAndGet() : 0;
                    if (number % 2 == 1) {
                        throw new StoreException("Failed before, as planned", null);
                    }
                    Object result;
                    try {
                        result = method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (fails) {
                        throw new StoreException("Failed after its work, as planned", null);
                    }
                    return result;
                });
    }
}
