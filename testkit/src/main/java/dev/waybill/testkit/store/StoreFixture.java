package dev.waybill.testkit.store;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What an implementation supplies to {@link OutboxStoreContract}: a store without entries, leases and relays. */
public interface StoreFixture extends AutoCloseable {

    OutboxStore store();

    DeadLetters deadLetters();

    /** Begins a transaction that is independent of all others and may be used by another thread. */
    Transaction begin();

    /** The time by the store's clock. */
    Instant now();

    /**
     * Returns once so much time has passed by the store's clock: a settable one is moved on, for a database's the
     * method waits, for instance with {@code pg_sleep}. The contract asks for less than a second at a time.
     */
    void passTime(Duration duration);

    @Override
    void close();

    /** A transaction of the application. Closing it rolls it back if it has not ended, and does nothing otherwise. */
    interface Transaction extends AutoCloseable {

        /** Hands on to {@link dev.waybill.store.EntryWriter#append}, also when the transaction has ended. */
        void append(List<Event> events, Set<OrderKey> strictKeys);

        /** Hands on to {@link dev.waybill.store.EntryWriter#cancel}, also when the transaction has ended. */
        boolean cancel(UUID id);

        Object savepoint();

        void rollbackTo(Object savepoint);

        /** Ends the transaction: nothing is open afterwards (a JDBC connection commits on its own again). */
        void commit();

        /** Ends the transaction like {@link #commit}. */
        void rollback();

        @Override
        void close();
    }
}
