package dev.waybill.resilience;

import java.util.Map;
import java.util.TreeMap;

/**
 * How operations are protected. Immutable; each name takes its own settings, and the defaults for what it does not set.
 *
 * @param enabled   the one switch: if false, operations are called and nothing else happens
 * @param breaker   the defaults of all breakers
 * @param retry     the defaults of all retries
 * @param instances what is different for some names
 */
public record ResilienceConfig(
        boolean enabled, BreakerConfig breaker, RetryConfig retry, Map<String, InstanceConfig> instances) {

    public ResilienceConfig {
        instances = Map.copyOf(instances);
        for (Map.Entry<String, InstanceConfig> instance : instances.entrySet()) {
            Limits.name(instance.getKey());
            // Each value may be fine by itself, and the whole not, once the defaults are in.
            try {
                instance.getValue().breaker().over(breaker);
                instance.getValue().retry().over(retry);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Instance " + instance.getKey() + ": " + e.getMessage(), e);
            }
        }
    }

    public static ResilienceConfig defaults() {
        return new ResilienceConfig(true, BreakerConfig.defaults(), RetryConfig.defaults(), Map.of());
    }

    public ResilienceConfig withEnabled(boolean on) {
        return new ResilienceConfig(on, breaker, retry, instances);
    }

    public ResilienceConfig withBreaker(BreakerConfig defaults) {
        return new ResilienceConfig(enabled, defaults, retry, instances);
    }

    public ResilienceConfig withRetry(RetryConfig defaults) {
        return new ResilienceConfig(enabled, breaker, defaults, instances);
    }

    /** Sets what is different for a name, in place of what was set for it before. */
    public ResilienceConfig withInstance(String name, InstanceConfig overrides) {
        Map<String, InstanceConfig> more = new TreeMap<>(instances);
        more.put(name, overrides);
        return new ResilienceConfig(enabled, breaker, retry, more);
    }

    /** What holds for the breaker of a name. */
    public BreakerConfig breakerOf(String name) {
        return instance(name).breaker().over(breaker);
    }

    /** What holds for the retries of a name. */
    public RetryConfig retryOf(String name) {
        return instance(name).retry().over(retry);
    }

    private InstanceConfig instance(String name) {
        return instances.getOrDefault(name, InstanceConfig.none());
    }
}
