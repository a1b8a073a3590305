package dev.waybill.inbox;

import dev.waybill.transport.Delivery;
import java.util.UUID;

/**
 * What takes effect once: an event, for one consumer.
 *
 * @param generation the replay that the delivery belongs to; 0: none. A replayed event takes effect once more in each
 *                   generation
 */
public record InboxKey(String consumer, UUID eventId, int generation) {

    public static InboxKey of(String consumer, Delivery delivery) {
        return new InboxKey(consumer, delivery.event().id(), delivery.replay());
    }

    @Override
    public String toString() {
        return "event " + eventId + (generation == 0 ? "" : " of replay " + generation) + " for consumer " + consumer;
    }
}
