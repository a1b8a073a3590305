package dev.waybill.resilience;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is different for the retries of one name; {@code null} stands for the default, property by property. Immutable.
 *
 * @param maxAttempts as in {@link RetryConfig}, like all others
 */
public record RetryOverrides(
        @Nullable Integer maxAttempts,
        @Nullable Duration firstWait,
        @Nullable Double multiplier,
        @Nullable Double jitter,
        @Nullable Duration longestWait) {

    public RetryOverrides {
        Limits.number("maxAttempts", maxAttempts);
        Limits.time("firstWait", firstWait);
        Limits.factor("multiplier", multiplier, 1, RetryConfig.LARGEST_MULTIPLIER);
        Limits.factor("jitter", jitter, 0, 1);
        Limits.time("longestWait", longestWait);
    }

    public static RetryOverrides none() {
        return new RetryOverrides(null, null, null, null, null);
    }

    public RetryOverrides withMaxAttempts(int attempts) {
        return new RetryOverrides(attempts, firstWait, multiplier, jitter, longestWait);
    }

    public RetryOverrides withFirstWait(Duration first) {
        return new RetryOverrides(maxAttempts, first, multiplier, jitter, longestWait);
    }

    public RetryOverrides withLongestWait(Duration longest) {
        return new RetryOverrides(maxAttempts, firstWait, multiplier, jitter, longest);
    }

    public RetryOverrides withMultiplier(double factor) {
        return new RetryOverrides(maxAttempts, firstWait, factor, jitter, longestWait);
    }

    public RetryOverrides withJitter(double part) {
        return new RetryOverrides(maxAttempts, firstWait, multiplier, part, longestWait);
    }

    RetryConfig over(RetryConfig defaults) {
        return new RetryConfig(
                maxAttempts != null ? maxAttempts : defaults.maxAttempts(),
                firstWait != null ? firstWait : defaults.firstWait(),
                multiplier != null ? multiplier : defaults.multiplier(),
                jitter != null ? jitter : defaults.jitter(),
                longestWait != null ? longestWait : defaults.longestWait());
    }
}
