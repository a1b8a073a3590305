package dev.waybill.resilience;

import java.time.Duration;

/**
 * When a circuit breaker opens, and for how long. Immutable.
 *
 * @param failureRateThreshold percentage of failed calls in the window from which on the breaker opens
 * @param openTime             how long it rejects everything, before it lets calls through to see how they fare
 * @param windowType           whether the window is the last calls or the last seconds
 * @param windowSize           how many of them
 * @param minimumCalls         calls in the window below which the breaker does not judge
 * @param halfOpenCalls        calls that are let through after the open time; what becomes of them decides
 * @param countNonRetryable    whether exceptions that are marked as non-retryable count as failures; if not, they count as
 *                             nothing at all
 */
public record BreakerConfig(
        double failureRateThreshold,
        Duration openTime,
        WindowType windowType,
        int windowSize,
        int minimumCalls,
        int halfOpenCalls,
        boolean countNonRetryable) {

    public BreakerConfig {
        Limits.percentage("failureRateThreshold", failureRateThreshold);
        Limits.time("openTime", openTime);
        Limits.number("windowSize", windowSize);
        Limits.number("minimumCalls", minimumCalls);
        Limits.number("halfOpenCalls", halfOpenCalls);
        if (windowType == WindowType.COUNT && minimumCalls > windowSize) {
            throw new IllegalArgumentException("minimumCalls " + minimumCalls + " is more than the " + windowSize
                    + " calls of the window, so that the breaker would never open; lower it, or raise windowSize.");
        }
    }

    public static BreakerConfig defaults() {
        return new BreakerConfig(50, Duration.ofSeconds(10), WindowType.COUNT, 10, 5, 3, false);
    }

    public BreakerConfig withFailureRateThreshold(double percent) {
        return BreakerOverrides.none().withFailureRateThreshold(percent).over(this);
    }

    public BreakerConfig withOpenTime(Duration time) {
        return BreakerOverrides.none().withOpenTime(time).over(this);
    }

    /** Judges by the last calls. */
    public BreakerConfig withCountWindow(int calls, int minimumCalls) {
        return BreakerOverrides.none().withCountWindow(calls, minimumCalls).over(this);
    }

    /** Judges by the calls of the last seconds. */
    public BreakerConfig withTimeWindow(int seconds, int minimumCalls) {
        return BreakerOverrides.none().withTimeWindow(seconds, minimumCalls).over(this);
    }

    public BreakerConfig withHalfOpenCalls(int calls) {
        return BreakerOverrides.none().withHalfOpenCalls(calls).over(this);
    }

    public BreakerConfig withCountNonRetryable(boolean count) {
        return BreakerOverrides.none().withCountNonRetryable(count).over(this);
    }
}
