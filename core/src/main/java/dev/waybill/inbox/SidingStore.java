package dev.waybill.inbox;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import java.util.List;

/**
 * The siding: where a consumer's events wait that it could not take at once, in order for each key. Thread-safe as long as
 * one transaction is used by one thread at a time.
 *
 * <p>It is an outbox whose destination is the consumer. A {@linkplain dev.waybill.relay.Relay relay} tries them again, and
 * its dead letters are the consumer's.
 *
 * @param <T> the transaction of the consumer's effects
 */
public interface SidingStore<T> {

    /**
     * Whether something of the key waits, in whatever state, or somebody paused the key: then the next event of the key
     * has to wait behind it.
     *
     * @param lane the consumer as destination, and the event's key
     */
    boolean isAside(T transaction, OrderKey lane);

    /**
     * Puts an event aside, within the transaction. If it is dead, it parks its key; unless something of the key waits
     * already: then it is tried again after that, because what comes before may change its fate.
     *
     * @param event  its destination is the consumer
     * @param replay the replay that the delivery belongs to; 0: none
     */
    void setAside(T transaction, Event event, int replay, Setback setback);

    /** What waits for a consumer or is its dead letter, discarded ones not, beyond a sequence and by sequence. */
    List<Entry> stored(String consumer, long afterSequence, int limit);
}
