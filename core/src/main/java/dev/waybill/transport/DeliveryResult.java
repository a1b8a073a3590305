package dev.waybill.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a delivery: an expected failure is a value, not an exception. */
public sealed interface DeliveryResult {

    /** The destination has it. */
    record Delivered() implements DeliveryResult {}

    /**
     * It failed and may work later; costs one attempt.
     *
     * @param after not before this time has passed; {@code null}: as the retry policy says
     */
    record Retry(String reason, @Nullable Duration after) implements DeliveryResult {}

    /** It will never work: a dead letter now. */
    record Rejected(String reason) implements DeliveryResult {}

    /** The destination is down: it is paused and probed, and no attempt is spent. */
    record Unavailable(String reason) implements DeliveryResult {}

    static DeliveryResult delivered() {
        return Constant.DELIVERED;
    }

    static DeliveryResult retry(String reason) {
        return new Retry(reason, null);
    }

    static DeliveryResult retryAfter(String reason, Duration after) {
        return new Retry(reason, after);
    }

    static DeliveryResult rejected(String reason) {
        return new Rejected(reason);
    }

    static DeliveryResult unavailable(String reason) {
        return new Unavailable(reason);
    }

    /** Holds the one instance of the result that nearly every delivery has. */
    final class Constant {
        private static final DeliveryResult DELIVERED = new Delivered();

        private Constant() {}
    }
}
