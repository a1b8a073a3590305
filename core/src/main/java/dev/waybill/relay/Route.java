package dev.waybill.relay;

import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.transport.Transport;

/**
 * How a relay delivers to a destination. Immutable.
 *
 * @param transport   what carries the events; several routes may share one
 * @param retry       what happens after a failed delivery
 * @param deadLetters what a dead letter means for the entries of the same key behind it
 */
public record Route(Transport transport, RetryPolicy retry, DeadLetterPolicy deadLetters) {

    public static Route to(Transport transport) {
        return new Route(transport, RetryPolicy.defaults(), DeadLetterPolicy.PARK);
    }

    public Route withRetry(RetryPolicy policy) {
        return new Route(transport, policy, deadLetters);
    }

    public Route withDeadLetters(DeadLetterPolicy policy) {
        return new Route(transport, retry, policy);
    }
}
