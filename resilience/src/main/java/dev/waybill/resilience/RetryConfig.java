package dev.waybill.resilience;

import dev.waybill.relay.RetryPolicy;
import java.time.Duration;

/**
 * How often and how far apart a failed operation is tried again. Immutable.
 *
 * @param maxAttempts tries in all, the first included; 1: no retries
 * @param firstWait   upper bound of the first wait
 * @param multiplier  by which the bound grows with each failure; 1: it stays
 * @param jitter      the part of each wait that is left to chance, so that failures at one time spread out: 0 waits the
 *                    bound, 0.5 anything from half of it to all of it, 1 anything up to it
 * @param longestWait upper bound of every wait
 */
public record RetryConfig(int maxAttempts, Duration firstWait, double multiplier, double jitter, Duration longestWait) {
    static final double LARGEST_MULTIPLIER = 100;

    public RetryConfig {
        Limits.number("maxAttempts", maxAttempts);
        Limits.time("firstWait", firstWait);
        Limits.factor("multiplier", multiplier, 1, LARGEST_MULTIPLIER);
        Limits.factor("jitter", jitter, 0, 1);
        Limits.time("longestWait", longestWait);
        if (longestWait.compareTo(firstWait) < 0) {
            throw new IllegalArgumentException("longestWait " + longestWait + " is shorter than firstWait " + firstWait
                    + "; raise it, or lower firstWait.");
        }
    }

    public static RetryConfig defaults() {
        return new RetryConfig(3, Duration.ofMillis(500), 2, 0.5, Duration.ofMinutes(5));
    }

    public RetryConfig withMaxAttempts(int attempts) {
        return RetryOverrides.none().withMaxAttempts(attempts).over(this);
    }

    /** Sets the bounds of the first wait and of all. */
    public RetryConfig withWaits(Duration first, Duration longest) {
        return RetryOverrides.none()
                .withFirstWait(first)
                .withLongestWait(longest)
                .over(this);
    }

    public RetryConfig withMultiplier(double factor) {
        return RetryOverrides.none().withMultiplier(factor).over(this);
    }

    public RetryConfig withJitter(double part) {
        return RetryOverrides.none().withJitter(part).over(this);
    }

    /** The same for a store, which always doubles the wait and leaves all of it to chance. */
    RetryPolicy toPolicy() {
        return new RetryPolicy(maxAttempts, firstWait, longestWait);
    }
}
