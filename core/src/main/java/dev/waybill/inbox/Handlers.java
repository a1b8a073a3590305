package dev.waybill.inbox;

import dev.waybill.event.Event;
import dev.waybill.event.EventTypes;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.RejectedEventException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's handlers, one for each event type. Immutable and thread-safe.
 *
 * @param ignored types that the consumer has nothing to do with
 * @param others  whether types that are named nowhere are ignored too
 */
record Handlers<T>(EventTypes types, Map<String, Reading<T>> byType, Set<String> ignored, boolean others) {

    /** Reads an event, which is of its newest version, and says what is to be done with it. */
    @FunctionalInterface
    interface Reading<T> {
        Task<T> read(EventTypes types, Delivery delivery);
    }

    /** An event that was read, and its handler: one of the two. */
    record Task<T>(
            Delivery delivery,
            @Nullable InboxHandler<T> handler,
            @Nullable LeasedHandler leased) {}

    Handlers {
        byType = Map.copyOf(byType);
        ignored = Set.copyOf(ignored);
    }

    boolean ignores(String type) {
        return !byType.containsKey(type) && (others || ignored.contains(type));
    }

    /** Brings an event to its newest version and reads it. */
    Task<T> read(Delivery stored) {
        Reading<T> reading = byType.get(stored.event().type());
        if (reading == null) {
            throw new RejectedEventException("No handler for event type "
                    + stored.event().type() + "; there are handlers for " + new TreeSet<>(byType.keySet())
                    + ". Add one, or say that the type is ignored.");
        }
        Event newest = types.upcast(stored.event());
        return reading.read(
                types, new Delivery(newest, stored.sequence(), stored.attempt(), stored.replay(), stored.sendId()));
    }

    static <T> Reading<T> plain(InboxHandler<T> handler) {
        return (types, delivery) -> new Task<>(delivery, handler, null);
    }

    static <T> Reading<T> leased(LeasedHandler handler) {
        return (types, delivery) -> new Task<>(delivery, null, handler);
    }

    static <T, V> Reading<T> typed(Class<V> valueClass, ValueHandler<T, V> handler) {
        return (types, delivery) -> {
            Object value = types.decode(delivery.event());
            if (!valueClass.isInstance(value)) {
                throw new RejectedEventException(
                        "Event type " + delivery.event().type() + " version "
                                + delivery.event().version() + " is registered as "
                                + value.getClass().getName() + ", but its handler takes " + valueClass.getName()
                                + ". Add an upcaster, or a handler for that class.");
            }
            V typed = valueClass.cast(value);
            return new Task<>(delivery, (transaction, again) -> handler.handle(transaction, typed, again), null);
        };
    }
}
