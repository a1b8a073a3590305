package dev.waybill.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often and how far apart a failed delivery is tried again. Immutable.
 *
 * @param maxAttempts tries in all, the first included; after the last one the entry is a dead letter
 * @param base        upper bound of the first wait; it doubles with each failure
 * @param cap         upper bound of every wait
 */
public record RetryPolicy(int maxAttempts, Duration base, Duration cap) {
    // Never zero: a retry must lie after the time of the statement that wrote it, or the search for due entries,
    // which only goes forward, could pass it.
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int MAX_DOUBLINGS = 30;
    // Far less than fits into nanoseconds, so that nothing overflows.
    private static final Duration LONGEST = Duration.ofDays(3650);

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts is " + maxAttempts + "; it must be at least 1.");
        }
        if (base.compareTo(SHORTEST) < 0 || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("base " + base + " and cap " + cap
                    + " do not fit: base must be at least 1 ms, and cap at least base.");
        }
        if (cap.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("cap is " + cap + "; it must be at most 3,650 days.");
        }
    }

    public static RetryPolicy defaults() {
        return new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofMinutes(5));
    }

    public RetryPolicy withMaxAttempts(int attempts) {
        return new RetryPolicy(attempts, base, cap);
    }

    public RetryPolicy withBackoff(Duration newBase, Duration newCap) {
        return new RetryPolicy(maxAttempts, newBase, newCap);
    }

    /** Exponential backoff with full jitter: anything up to the bound, so that failures at one time spread out. */
    public Duration wait(int failures, RandomGenerator random) {
        Duration wait = SHORTEST.plusNanos(random.nextLong(bound(failures)));
        return wait.compareTo(cap) > 0 ? cap : wait;
    }

    long bound(int failures) {
        long factor = 1L << Math.min(MAX_DOUBLINGS, failures - 1);
        return cap.toNanos() / factor < base.toNanos() ? cap.toNanos() : base.toNanos() * factor;
    }
}
