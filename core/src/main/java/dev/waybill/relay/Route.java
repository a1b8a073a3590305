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
 */
public record Route(Transport transport, RetryPolicy retry, DeadLetterPolicy deadLetters, int maxPerSecond) {

    public Route {
        if (maxPerSecond < 0) {
            throw new IllegalArgumentException(
                    "maxPerSecond is " + maxPerSecond + "; it must be positive, or 0 for no limit.");
        }
    }

    public static Route to(Transport transport) {
        return new Route(transport, RetryPolicy.defaults(), DeadLetterPolicy.PARK, 0);
    }

    public Route withRetry(RetryPolicy policy) {
        return new Route(transport, policy, deadLetters, maxPerSecond);
    }

    public Route withDeadLetters(DeadLetterPolicy policy) {
        return new Route(transport, retry, policy, maxPerSecond);
    }

    public Route withMaxPerSecond(int deliveries) {
        return new Route(transport, retry, deadLetters, deliveries);
    }
}
