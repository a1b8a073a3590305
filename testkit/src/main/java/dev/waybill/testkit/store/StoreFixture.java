package dev.waybill.testkit.store;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.operations.Administration;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What an implementation supplies to {@link OutboxStoreContract}: a store without entries, leases, relays, dead letters,
 * history, pauses, replays and audit records.
 */
public interface StoreFixture extends AutoCloseable {

    /** Who decides in tests. */
    Signature TESTER = Signature.of("tester", "to see what happens");

    OutboxStore store();

    Administration administration();

    default DeadLetters deadLetters() {
        return administration().deadLetters();
    }

    /** Begins a transaction that is independent of all others and may be used by another thread. */
    Transaction begin();

    /** The time by the store's clock. */
    Instant now();

    /**
     * Returns once so much time has passed by the store's clock: a settable one is moved on, for a database's the
     * method waits, for instance with {@code pg_sleep}. The contract asks for less than a second at a time, or for little
     * more than that and the {@linkplain #replayMargin margin} where it is about replays.
     */
    void passTime(Duration duration);

    /**
     * How long ago a delivery must be, so that a replay comes to it: until then a settle that began before could still
     * commit. Keep it short; zero if no delivery can become visible late.
     */
    Duration replayMargin();

    /** Hands on to {@link dev.waybill.store.EntryWriter#countPending}. */
    long countPending(long atMost);

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
