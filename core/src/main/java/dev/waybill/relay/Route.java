package dev.waybill.relay;

import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.transport.Transport;

/**
 * How a relay delivers to a destination. Immutable.
 *
 * @param transport   what carries the events; several routes may share one
 * @param retry       what happens after a failed delivery
 * @param deadLetters what a dead letter means for the entries of the same key behind it
 * @param maxPerSecond most deliveries in a second, of all relays together: each sends its share, by the shards that it
 *                    owns; 0: as many as it can
 * @param priority    which destination goes first when the relay cannot do everything at once: the one with the higher
 *                    number. The others wait, but never for good: a small part of the window stays with them
 * @param paused      whether this relay sends nothing to the destination. Its events wait in the outbox and cost no
 *                    attempts; other destinations, and relays that are configured otherwise, go on
 * @param maxInFlight most deliveries of a relay that are sent and not yet answered; 0: as many as its window holds. For
 *                    a transport that lets them wait for a thread: what waits too long counts as failed
 */
public record Route(
        Transport transport,
        RetryPolicy retry,
        DeadLetterPolicy deadLetters,
        int maxPerSecond,
        int priority,
        boolean paused,
        int maxInFlight) {

    public Route {
        if (maxPerSecond < 0) {
            throw new IllegalArgumentException(
                    "maxPerSecond is " + maxPerSecond + "; it must be positive, or 0 for no limit.");
        }
        if (maxInFlight < 0) {
            throw new IllegalArgumentException(
                    "maxInFlight is " + maxInFlight + "; it must be positive, or 0 for no limit.");
        }
    }

    public static Route to(Transport transport) {
        return new Route(transport, RetryPolicy.defaults(), DeadLetterPolicy.PARK, 0, 0, false, 0);
    }

    public Route withRetry(RetryPolicy policy) {
        return new Route(transport, policy, deadLetters, maxPerSecond, priority, paused, maxInFlight);
    }

    public Route withDeadLetters(DeadLetterPolicy policy) {
        return new Route(transport, retry, policy, maxPerSecond, priority, paused, maxInFlight);
    }

    public Route withMaxPerSecond(int deliveries) {
        return new Route(transport, retry, deadLetters, deliveries, priority, paused, maxInFlight);
    }

    public Route withPriority(int number) {
        return new Route(transport, retry, deadLetters, maxPerSecond, number, paused, maxInFlight);
    }

    public Route withPaused(boolean pause) {
        return new Route(transport, retry, deadLetters, maxPerSecond, priority, pause, maxInFlight);
    }

    public Route withMaxInFlight(int deliveries) {
        return new Route(transport, retry, deadLetters, maxPerSecond, priority, paused, deliveries);
    }
}
