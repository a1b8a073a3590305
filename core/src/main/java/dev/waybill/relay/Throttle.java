package dev.waybill.relay;

import java.time.Duration;

/**
 * Keeps a destination's deliveries below a rate. Owned by the relay's thread.
 *
 * <p>What was not used is saved for a tenth of a second, and not longer: a burst after a quiet time would exceed what
 * the destination was promised.
 */
final class Throttle {
    private static final double SECOND = Duration.ofSeconds(1).toNanos();
    private static final double SAVED = 0.1;
    private static final double LONGEST = Duration.ofDays(1).toNanos();

    private double tokens = 1;
    private long last;

    /** Whether one more may be sent now; counts it if so. */
    boolean tryTake(long now, double perSecond) {
        refill(now, perSecond);
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    /** When the next one may be sent. */
    long nextAt(long now, double perSecond) {
        refill(now, perSecond);
        if (tokens >= 1) {
            return now;
        }
        double wait = Math.ceil((1 - tokens) / perSecond * SECOND);
        // Without a shard the share of the rate is nothing, and the wait has no end: it must not run over into the
        // past.
        return wait < LONGEST ? now + (long) wait : Long.MAX_VALUE;
    }

    private void refill(long now, double perSecond) {
        tokens = Math.min(Math.max(1, perSecond * SAVED), tokens + (now - last) / SECOND * perSecond);
        last = now;
    }
}
