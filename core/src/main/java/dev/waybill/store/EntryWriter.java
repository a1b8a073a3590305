package dev.waybill.store;

import dev.waybill.event.Event;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * How entries come into the store: within a transaction of the caller, and with it or not at all. Thread-safe as long as
 * one transaction is used by one thread at a time.
 *
 * @param <T> the caller's transaction, for instance a JDBC connection
 */
public interface EntryWriter<T> {

    /**
     * Appends events in the order of the list, with increasing sequences.
     *
     * <p>For strict keys the order of commits is the order of sequences: it locks them, sorted, until the
     * transaction ends, before the first sequence is drawn. Nothing else is locked.
     *
     * @throws NoTransactionException if no transaction is open
     */
    void append(T transaction, List<Event> events, Set<OrderKey> strictKeys);

    /**
     * Removes a delayed event that is not yet due and was never tried.
     *
     * @return whether it was there
     * @throws NoTransactionException if no transaction is open
     */
    boolean cancel(T transaction, UUID id);

    /** How many entries are pending, counted up to {@code atMost}; committed ones only, outside of any transaction. */
    long countPending(long atMost);
}
