package dev.waybill.spring.boot;

import dev.waybill.resilience.BreakerConfig;
import dev.waybill.resilience.BreakerOverrides;
import dev.waybill.resilience.InstanceConfig;
import dev.waybill.resilience.Resilience;
import dev.waybill.resilience.ResilienceConfig;
import dev.waybill.resilience.ResilientOperations;
import dev.waybill.resilience.RetryConfig;
import dev.waybill.resilience.RetryOverrides;
import dev.waybill.spring.boot.WaybillProperties.Breaker;
import dev.waybill.spring.boot.WaybillProperties.ResilienceRetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Circuit breakers and retries by name. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
public class WaybillResilienceAutoConfiguration {
    private static final String DEFAULTS = "defaults";

    @Bean
    @ConditionalOnMissingBean
    ResilienceConfig waybillResilienceConfig(WaybillProperties properties) {
        return CoreConfigs.checked("waybill.resilience", () -> config(properties.resilience()));
    }

    @Bean
    @ConditionalOnMissingBean(ResilientOperations.class)
    Resilience waybillResilience(
            WaybillProperties properties, ResilienceConfig config, ObjectProvider<MeterRegistry> registries) {
        return ResilientOperations.create(config, WaybillAutoConfiguration.meters(properties, registries));
    }

    private static ResilienceConfig config(WaybillProperties.Resilience settings) {
        // The defaults are overrides of the built-in ones: property by property, as for each instance.
        ResilienceConfig builtIn = new ResilienceConfig(
                true,
                BreakerConfig.defaults(),
                RetryConfig.defaults(),
                Map.of(DEFAULTS, new InstanceConfig(breaker(settings.breaker()), retry(settings.retry()))));
        Map<String, InstanceConfig> instances = new HashMap<>();
        settings.instances()
                .forEach((name, instance) ->
                        instances.put(name, new InstanceConfig(breaker(instance.breaker()), retry(instance.retry()))));
        return new ResilienceConfig(
                settings.enabled(), builtIn.breakerOf(DEFAULTS), builtIn.retryOf(DEFAULTS), instances);
    }

    private static BreakerOverrides breaker(Breaker settings) {
        return new BreakerOverrides(
                settings.failureRateThreshold(),
                settings.openTime(),
                settings.windowType(),
                settings.windowSize(),
                settings.minimumCalls(),
                settings.halfOpenCalls(),
                settings.countNonRetryable());
    }

    private static RetryOverrides retry(ResilienceRetry settings) {
        return new RetryOverrides(
                settings.maxAttempts(),
                settings.firstWait(),
                settings.multiplier(),
                settings.jitter(),
                settings.longestWait());
    }
}
