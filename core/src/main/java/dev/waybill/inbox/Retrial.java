package dev.waybill.inbox;

import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of a try to handle an event from the siding.
 *
 * @param result what to tell the relay; {@code null}: nothing yet
 * @param after  when to try again, if there is nothing to tell yet
 */
record Retrial(@Nullable DeliveryResult result, Duration after) {

    static Retrial of(DeliveryResult result) {
        return new Retrial(result, Duration.ZERO);
    }

    static Retrial after(Duration time) {
        return new Retrial(null, time);
    }
}
