package dev.waybill.inbox;

import dev.waybill.transport.Delivery;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lets every event take effect once for each consumer, however often it is delivered. Thread-safe.
 *
 * <p>For whoever has a loop of their own: {@link InboxConsumer} adds handlers by type, retries, order and dead letters.
 *
 * @param <T> the transaction of the effects, for instance a JDBC connection
 */
public final class Inbox<T> {
    private final ClaimStore<T> store;
    private final IdempotencyMeters meters;

    public Inbox(ClaimStore<T> store) {
        this(store, new CompositeMeterRegistry());
    }

    /** Counts {@code idempotency.checks}, by consumer and result. */
    public Inbox(ClaimStore<T> store, MeterRegistry registry) {
        this.store = store;
        this.meters = new IdempotencyMeters(registry);
    }

    /**
     * Handles an event in a transaction of its own, together with the record that it was handled.
     *
     * @return whether the handler ran; {@code false}: the event took effect before, or was put aside
     * @throws dev.waybill.store.StoreException if the store failed: give the event again
     * @throws DeferredException if somebody has a {@linkplain #handleLeased lease} of the event: give it again later
     * @throws LostTransactionException if the handler lost the transaction and did not tell
     * @throws Exception what the handler throws. Nothing is recorded then: give the event again
     */
    public boolean handle(String consumer, Delivery delivery, InboxHandler<T> handler) throws Exception {
        return store.inTransaction(transaction -> handle(transaction, consumer, delivery, handler));
    }

    /** Handles an event like {@link #handle(String, Delivery, InboxHandler)}, in a transaction that the caller ends. */
    public boolean handle(T transaction, String consumer, Delivery delivery, InboxHandler<T> handler) throws Exception {
        InboxKey key = InboxKey.of(consumer, delivery);
        if (!isTaken(store.claim(transaction, key, Origin.SOURCE), key)) {
            return false;
        }
        handler.handle(transaction, delivery);
        if (!store.isClaimed(transaction, key)) {
            throw new LostTransactionException(key);
        }
        return true;
    }

    /**
     * Handles events in their order like {@link #handle(String, Delivery, InboxHandler)}, each in a transaction of its
     * own. Those that took effect before are found in one statement.
     *
     * @return how many handlers ran
     * @throws Exception what a handler throws. Those before it took effect; give all of them again
     */
    public int handleAll(String consumer, List<Delivery> deliveries, InboxHandler<T> handler) throws Exception {
        int handled = 0;
        for (Delivery delivery : unseen(consumer, deliveries)) {
            handled += handle(consumer, delivery, handler) ? 1 : 0;
        }
        return handled;
    }

    /** Those of the deliveries that did not take effect before, in one statement; each event at most once. */
    public List<Delivery> unseen(String consumer, List<Delivery> deliveries) {
        Set<InboxKey> keys = new HashSet<>();
        deliveries.forEach(delivery -> keys.add(InboxKey.of(consumer, delivery)));
        keys.removeAll(store.seen(keys));
        List<Delivery> unseen = new ArrayList<>(keys.size());
        for (Delivery delivery : deliveries) {
            if (keys.remove(InboxKey.of(consumer, delivery))) {
                unseen.add(delivery);
            } else {
                meters.hit(consumer);
            }
        }
        return unseen;
    }

    /**
     * Handles an event whose effect is outside of this store. The event is leased while the handler runs, done when it
     * returns, and free again when it throws. After a crash it is handled again when the lease has ended: the
     * other side must bear that, for instance by the event's id.
     *
     * @param lease longer than the handler takes
     * @return whether the handler ran; {@code false}: the event took effect before, or was put aside
     * @throws DeferredException if somebody else is at it: give the event again later
     * @throws LeaseLostException if the handler took so long that another one took over
     * @throws Exception what the handler throws. Give the event again
     */
    public boolean handleLeased(String consumer, Delivery delivery, Duration lease, LeasedHandler handler)
            throws Exception {
        InboxKey key = InboxKey.of(consumer, delivery);
        Claim claim = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SOURCE, lease));
        if (!isTaken(claim, key)) {
            return false;
        }
        try {
            handler.handle(delivery, claim.epoch());
        } catch (Throwable e) {
            release(key, claim.epoch(), e);
            throw e;
        }
        if (!store.inTransaction(transaction -> store.complete(transaction, key, claim.epoch()))) {
            throw new LeaseLostException(key);
        }
        return true;
    }

    private boolean isTaken(Claim claim, InboxKey key) {
        if (claim.status() == Claim.Status.BUSY) {
            throw new DeferredException("Somebody is at " + key + ".", claim.busyFor());
        }
        meters.count(key.consumer(), claim);
        return claim.isTaken();
    }

    /** What cannot be released is free when its lease ends. */
    private void release(InboxKey key, long epoch, Throwable cause) {
        try {
            store.inTransaction(transaction -> store.release(transaction, key, epoch, Origin.SOURCE));
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }
}
