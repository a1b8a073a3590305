package dev.waybill.spring.boot;

import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.spring.RouteCustomizer;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.spring.boot.WaybillProperties.Destination;
import dev.waybill.spring.outbox.DirectRoutes;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.outbox.PayloadLimits;
import dev.waybill.spring.relay.Relays;
import dev.waybill.spring.relay.RouteSettings;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.spring.relay.Transports;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Delivers what was published, by the routes of the settings. */
@AutoConfiguration(after = WaybillConsumerAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
public class WaybillRelayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Transports waybillTransports(ListableBeanFactory beans, ObjectProvider<TransportCustomizer> customizers) {
        return new Transports(beans, customizers.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    RouteTable waybillRoutes(
            WaybillProperties properties, Transports transports, ObjectProvider<RouteCustomizer> customizers) {
        RetryPolicy retry = CoreConfigs.checked("waybill.retry", () -> retry(properties.retry()));
        Map<String, RouteSettings> named = new HashMap<>();
        properties
                .destinations()
                .forEach((name, destination) -> named.put(
                        name, CoreConfigs.checked("waybill.destinations." + name, () -> route(destination, retry))));
        return new RouteTable(
                transports,
                properties.outbox().transport(),
                // Enough to keep the threads busy; what waits for one longer than a delivery may take would count as
                // failed.
                2 * properties.inbox().threads(),
                RouteSettings.usual(retry),
                named,
                customizers.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadLimits waybillPayloadLimits(RouteTable routes) {
        return routes::maxPayloadBytes;
    }

    /** For applications without an outbox. */
    @Bean
    @ConditionalOnMissingBean
    DirectRoutes waybillDirectRoutes(RouteTable routes) {
        return destination -> routes.of(destination).transport();
    }

    @Bean
    @ConditionalOnMissingBean
    RelayConfig waybillRelayConfig(WaybillProperties properties) {
        return CoreConfigs.checked("waybill.relay", () -> config(properties.relay()));
    }

    @Bean
    @ConditionalOnMissingBean
    Relays waybillRelays(
            WaybillProperties properties,
            RelayConfig config,
            ObjectProvider<OutboxUnit> units,
            RouteTable routes,
            ObjectProvider<MeterRegistry> registries) {
        return new Relays(
                units.orderedStream().toList(),
                routes,
                config,
                WaybillAutoConfiguration.meters(properties, registries),
                properties.relay().enabled(),
                properties.relay().shutdownTimeout());
    }

    @Bean
    static LazyInitializationExcludeFilter waybillRelaysAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(Relays.class);
    }

    private static RelayConfig config(WaybillProperties.Relay relay) {
        return RelayConfig.defaults()
                .withLease(relay.lease())
                .withPollInterval(relay.pollInterval())
                .withBatchSize(relay.maxBatchSize())
                .withWindow(relay.window())
                .withWindowBytes(relay.windowSize().toBytes())
                .withDeliveryTimeout(relay.deliveryTimeout())
                .withSettleDelay(relay.settleDelay())
                .withProbe(relay.probeFirst(), relay.probeLongest())
                .withRescanInterval(relay.rescanInterval());
    }

    private static RetryPolicy retry(WaybillProperties.Retry retry) {
        return new RetryPolicy(retry.maxAttempts(), retry.firstWait(), retry.longestWait());
    }

    private static RouteSettings route(Destination destination, RetryPolicy usual) {
        return new RouteSettings(
                destination.transport(),
                Retries.merged(usual, destination.maxAttempts(), destination.firstWait(), destination.longestWait()),
                destination.deadLetters(),
                destination.maxPerSecond(),
                destination.priority(),
                destination.paused());
    }
}
