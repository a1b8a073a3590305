package dev.waybill.spring.relay;

import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.DeadLetterPolicy;

/**
 * What the settings say of a route. Immutable.
 *
 * @param transport    the name of its transport; empty: the usual one
 * @param retry        what happens after a failed delivery
 * @param deadLetters  what a dead letter means for later events of its key
 * @param maxPerSecond most deliveries in a second; 0: as many as it can
 * @param priority     routes with more go first
 * @param paused       whether nothing is delivered for now
 */
public record RouteSettings(
        String transport,
        RetryPolicy retry,
        DeadLetterPolicy deadLetters,
        int maxPerSecond,
        int priority,
        boolean paused) {

    /** For destinations that have no settings. */
    public static RouteSettings usual(RetryPolicy retry) {
        return new RouteSettings("", retry, DeadLetterPolicy.PARK, 0, 0, false);
    }
}
