package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryStoreSettings;
import dev.waybill.store.memory.MemoryTransaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a database, and the transactions that are open in it. Those are known by whoever began them, so that a
 * standby can do the same as the primary did. Not thread-safe.
 */
final class Replica {
    final MemoryOutboxStore store;

    private final InstantSource clock;
    private final TransactionalOutbox<MemoryTransaction> outbox;
    private final Map<Object, MemoryTransaction> open = new LinkedHashMap<>();
    private @Nullable Instant past;

    Replica(InstantSource clock, MemoryStoreSettings settings, Set<String> strict) {
        this.clock = clock;
        store = new MemoryOutboxStore(() -> past == null ? this.clock.instant() : past, settings);
        outbox = new TransactionalOutbox<>(store, OutboxConfig.defaults().withStrictDestinations(strict));
    }

    /** Does something that was done at another time. */
    void repeat(Instant at, Runnable change) {
        past = at;
        change.run();
        past = null;
    }

    MemoryTransaction begin(Object work) {
        MemoryTransaction transaction = store.begin();
        open.put(work, transaction);
        return transaction;
    }

    void publish(Object work, List<Event> events) {
        outbox.on(transaction(work)).publishAll(events);
    }

    /** Publishes and takes it back. */
    void publishInVain(Object work, List<Event> events) {
        MemoryTransaction.Savepoint savepoint = transaction(work).savepoint();
        publish(work, events);
        transaction(work).rollbackTo(savepoint);
    }

    boolean cancel(Object work, UUID event) {
        return outbox.on(transaction(work)).cancel(event);
    }

    void commit(Object work) {
        transaction(work).commit();
        open.remove(work);
    }

    void rollback(Object work) {
        transaction(work).rollback();
        open.remove(work);
    }

    /** What was open when the primary died. */
    void rollbackAll() {
        open.values().forEach(MemoryTransaction::rollback);
        open.clear();
    }

    private MemoryTransaction transaction(Object work) {
        return Objects.requireNonNull(open.get(work));
    }
}
