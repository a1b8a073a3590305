package dev.waybill.outbox;

import dev.waybill.event.Event;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Publishes events within a transaction: they are delivered if it commits, and never if it rolls back.
 *
 * <p>An outbox belongs to the transaction that it was made for and is used by one thread at a time. A call that throws
 * has changed nothing.
 */
public interface Outbox {

    /**
     * Publishes an event.
     *
     * @return the event's id
     * @throws dev.waybill.store.NoTransactionException if no transaction is open
     * @throws OutboxLimitException if the event exceeds a limit
     * @throws UnknownDestinationException if destinations are restricted and this is none of them
     */
    UUID publish(Event event);

    /** Publishes events in their order, in one round trip; all of them or, if one is refused, none. */
    List<UUID> publishAll(Collection<Event> events);

    /**
     * Cancels a delayed event. Effective if the transaction commits before the event is due.
     *
     * @return whether it was still waiting: {@code false} for an event that is due, was tried, or never existed
     */
    boolean cancel(UUID id);
}
