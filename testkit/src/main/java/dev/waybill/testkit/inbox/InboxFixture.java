package dev.waybill.testkit.inbox;

import dev.waybill.inbox.InboxStore;
import dev.waybill.operations.Administration;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.List;

/**
 * What an implementation supplies to {@link InboxContract} and {@link ConsumerContract}: an empty inbox with its siding, and a
 * place for effects that is part of the same transactions. The store's clock is real.
 *
 * @param <T> the transaction
 */
public interface InboxFixture<T> extends AutoCloseable {

    InboxStore<T> inbox();

    /** What the relay of the siding works on. */
    OutboxStore siding();

    Administration administration();

    /** Begins a transaction that is independent of all others and may be used by another thread. */
    T begin();

    void commit(T transaction);

    void rollback(T transaction);

    /** An effect of the application, within the transaction. */
    void effect(T transaction, String what);

    /** The effects that are committed, in the order in which they were made. */
    List<String> effects();

    /** Returns once so much time has passed by the store's clock. Asked for less than a second at a time. */
    void passTime(Duration duration);

    @Override
    void close();
}
