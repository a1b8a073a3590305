package dev.waybill.resilience;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What there is one of for each name, made when it is first asked for. Thread-safe. */
final class Named<T> {
    /** Each name costs about twenty meters, for good. */
    static final int MOST = 1_000;

    private final Map<String, T> all = new ConcurrentHashMap<>();
    private final Function<String, T> factory;
    /** How many there are; guarded by this. */
    private int made;

    private volatile boolean closed;

    Named(Function<String, T> factory) {
        this.factory = factory;
    }

    T get(String name) {
        requireOpen(name);
        T known = all.get(name);
        return known != null ? known : all.computeIfAbsent(name, this::create);
    }

    /** When it returns, nothing more is made. */
    synchronized void close() {
        closed = true;
    }

    /** Under a lock: what was made while others close would keep its meters, and two at a time would pass the limit. */
    private synchronized T create(String name) {
        Limits.name(name);
        requireOpen(name);
        if (made >= MOST) {
            throw new IllegalStateException(MOST + " names are in use, so that there is no room for " + name
                    + "; name what is called, such as payment-processing, and leave ids of single calls out of it.");
        }
        T created = factory.apply(name);
        made++;
        return created;
    }

    private void requireOpen(String name) {
        if (closed) {
            throw new IllegalStateException("The circuit breakers and retries are closed, so that "
                    + Failures.oneLine(name) + " cannot be called; close them after whatever uses them.");
        }
    }
}
