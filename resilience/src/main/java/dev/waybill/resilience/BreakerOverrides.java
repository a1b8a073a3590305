package dev.waybill.resilience;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is different for the breaker of one name; {@code null} stands for the default, property by property. Immutable.
 *
 * @param failureRateThreshold as in {@link BreakerConfig}, like all others
 */
public record BreakerOverrides(
        @Nullable Double failureRateThreshold,
        @Nullable Duration openTime,
        @Nullable WindowType windowType,
        @Nullable Integer windowSize,
        @Nullable Integer minimumCalls,
        @Nullable Integer halfOpenCalls,
        @Nullable Boolean countNonRetryable) {

    public BreakerOverrides {
        Limits.percentage("failureRateThreshold", failureRateThreshold);
        Limits.time("openTime", openTime);
        Limits.number("windowSize", windowSize);
        Limits.number("minimumCalls", minimumCalls);
        Limits.number("halfOpenCalls", halfOpenCalls);
    }

    public static BreakerOverrides none() {
        return new BreakerOverrides(null, null, null, null, null, null, null);
    }

    public BreakerOverrides withFailureRateThreshold(double percent) {
        return new BreakerOverrides(
                percent, openTime, windowType, windowSize, minimumCalls, halfOpenCalls, countNonRetryable);
    }

    public BreakerOverrides withOpenTime(Duration time) {
        return new BreakerOverrides(
                failureRateThreshold, time, windowType, windowSize, minimumCalls, halfOpenCalls, countNonRetryable);
    }

    /** Judges by the last calls. */
    public BreakerOverrides withCountWindow(int calls, int minimum) {
        return new BreakerOverrides(
                failureRateThreshold, openTime, WindowType.COUNT, calls, minimum, halfOpenCalls, countNonRetryable);
    }

    /** Judges by the calls of the last seconds. */
    public BreakerOverrides withTimeWindow(int seconds, int minimum) {
        return new BreakerOverrides(
                failureRateThreshold, openTime, WindowType.TIME, seconds, minimum, halfOpenCalls, countNonRetryable);
    }

    public BreakerOverrides withMinimumCalls(int calls) {
        return new BreakerOverrides(
                failureRateThreshold, openTime, windowType, windowSize, calls, halfOpenCalls, countNonRetryable);
    }

    public BreakerOverrides withHalfOpenCalls(int calls) {
        return new BreakerOverrides(
                failureRateThreshold, openTime, windowType, windowSize, minimumCalls, calls, countNonRetryable);
    }

    public BreakerOverrides withCountNonRetryable(boolean count) {
        return new BreakerOverrides(
                failureRateThreshold, openTime, windowType, windowSize, minimumCalls, halfOpenCalls, count);
    }

    BreakerConfig over(BreakerConfig defaults) {
        return new BreakerConfig(
                failureRateThreshold != null ? failureRateThreshold : defaults.failureRateThreshold(),
                openTime != null ? openTime : defaults.openTime(),
                windowType != null ? windowType : defaults.windowType(),
                windowSize != null ? windowSize : defaults.windowSize(),
                minimumCalls != null ? minimumCalls : defaults.minimumCalls(),
                halfOpenCalls != null ? halfOpenCalls : defaults.halfOpenCalls(),
                countNonRetryable != null ? countNonRetryable : defaults.countNonRetryable());
    }
}
