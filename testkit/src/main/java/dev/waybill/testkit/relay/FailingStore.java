package dev.waybill.testkit.relay;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;

/** A store whose methods fail on demand, before they do anything or after they have done it. Used by one thread. */
final class FailingStore {
    private final OutboxStore store;
    private final Set<String> failingBefore = new HashSet<>();
    private final Set<String> failingAfter = new HashSet<>();

    FailingStore(OutboxStore store) {
        this.store = store;
    }

    OutboxStore failingRenewals() {
        failBefore("renew");
        failBefore("retake");
        return proxy();
    }

    /** From now on the method does nothing and throws. */
    void failBefore(String method) {
        failingBefore.add(method);
    }

    /** From now on the method does its work and throws: the caller cannot know. */
    void failAfter(String method) {
        failingAfter.add(method);
    }

    void heal() {
        failingBefore.clear();
        failingAfter.clear();
    }

    OutboxStore proxy() {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (failingBefore.contains(method.getName())) {
                        throw new StoreException(method.getName() + " failed, as planned", null);
                    }
                    Object result;
                    try {
                        result = method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (failingAfter.contains(method.getName())) {
                        throw new StoreException(method.getName() + " failed after its work, as planned", null);
                    }
                    return result;
                });
    }
}
