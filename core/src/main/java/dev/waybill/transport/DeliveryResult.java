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
    record Retry(String reason, @Nullable Duration after) implements DeliveryResult {
        public Retry {
            reason = Constant.known(reason);
        }
    }

    /** It will never work: a dead letter now. */
    record Rejected(String reason) implements DeliveryResult {
        public Rejected {
            reason = Constant.known(reason);
        }
    }

    /** The destination is down: it is paused and probed, and no attempt is spent. */
    record Unavailable(String reason) implements DeliveryResult {
        public Unavailable {
            reason = Constant.known(reason);
        }
    }

    static DeliveryResult delivered() {
        return Constant.DELIVERED;
    }

    static DeliveryResult retry(@Nullable String reason) {
        return new Retry(Constant.known(reason), null);
    }

    static DeliveryResult retryAfter(@Nullable String reason, Duration after) {
        return new Retry(Constant.known(reason), after);
    }

    static DeliveryResult rejected(@Nullable String reason) {
        return new Rejected(Constant.known(reason));
    }

    static DeliveryResult unavailable(@Nullable String reason) {
        return new Unavailable(Constant.known(reason));
    }

    /** Holds the one instance of the result that nearly every delivery has, and the reason of those without one. */
    final class Constant {
        private static final DeliveryResult DELIVERED = new Delivered();

        private Constant() {}

        /** Exceptions often have no message; a missing one must not turn a failure into another. */
        private static String known(@Nullable String reason) {
            return reason == null ? "no reason given" : reason;
        }
    }
}
