package dev.waybill.resilience;

/** What is different for one operation or consumer; all that is not set here is as by default. Immutable. */
public record InstanceConfig(BreakerOverrides breaker, RetryOverrides retry) {

    public static InstanceConfig none() {
        return new InstanceConfig(BreakerOverrides.none(), RetryOverrides.none());
    }

    public InstanceConfig withBreaker(BreakerOverrides overrides) {
        return new InstanceConfig(overrides, retry);
    }

    public InstanceConfig withRetry(RetryOverrides overrides) {
        return new InstanceConfig(breaker, overrides);
    }
}
