package dev.waybill.inbox;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * Which events took effect, for which consumer. Thread-safe as long as one transaction is used by one thread at a time.
 *
 * <p>A claim belongs to the transaction that it is made in: it is seen with that transaction's effects, or never. While
 * another open transaction has claimed the same event, every claim of it waits for the end of that transaction. Methods throw
 * {@link dev.waybill.store.StoreException} when the store cannot be reached, and
 * {@link dev.waybill.store.NoTransactionException} without a transaction.
 *
 * @param <T> the transaction of the consumer's effects, for instance a JDBC connection
 */
public interface ClaimStore<T> {

    /** What is done within a transaction. */
    @FunctionalInterface
    interface Work<T, R> {
        R run(T transaction) throws Exception;
    }

    /**
     * Runs work in a transaction of its own: commits when it returns, rolls back when it throws anything.
     *
     * @throws dev.waybill.store.StoreException if the transaction could not begin, or its commit failed: then the outcome
     *     is unknown
     * @throws Exception what the work throws, unchanged
     */
    <R> R inTransaction(Work<T, R> work) throws Exception;

    /**
     * Records that the event takes effect with this transaction. {@link Origin#SIDING} also takes one that was put aside. An
     * expired lease is taken over.
     */
    Claim claim(T transaction, InboxKey key, Origin origin);

    /**
     * Whether the transaction still has the event as its own, to be asked after the effect: a handler may have swallowed
     * an error that rolled back the transaction, or doomed it, and its commit would seem to succeed.
     */
    boolean isClaimed(T transaction, InboxKey key);

    /** Records that the event is {@linkplain SidingStore#setAside put aside} with this transaction. */
    Claim claimAside(T transaction, InboxKey key);

    /**
     * Records that the caller is at the event, for an effect outside of this store: until the lease ends nobody else is.
     * Like {@link #claim} it takes over an expired lease, with a higher epoch. What was leased from the siding is put aside for
     * the source, whether that lease lasts or has ended.
     */
    Claim lease(T transaction, InboxKey key, Origin origin, Duration duration);

    /**
     * Records that the leased event took effect.
     *
     * @return {@code false}, with nothing changed, if the lease is another one's by now; expired but not taken over, it
     *     counts
     */
    boolean complete(T transaction, InboxKey key, long epoch);

    /**
     * Gives a leased event back as it was: unknown, or put aside.
     *
     * @param origin what it was leased with
     * @return {@code false}, with nothing changed, if the lease is another one's by now
     */
    boolean release(T transaction, InboxKey key, long epoch, Origin origin);

    /** Those that took effect or were put aside, in one statement; committed ones only, outside of any transaction. */
    Set<InboxKey> seen(Collection<InboxKey> keys);

    /** How long an event is remembered after it took effect or was put aside. */
    Duration retention();
}
