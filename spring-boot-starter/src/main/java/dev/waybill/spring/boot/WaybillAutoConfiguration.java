package dev.waybill.spring.boot;

import dev.waybill.event.PayloadCodec;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.outbox.ApplicationEvents;
import dev.waybill.spring.outbox.DirectRoutes;
import dev.waybill.spring.outbox.EventMaker;
import dev.waybill.spring.outbox.PayloadLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Publishing: settings, JSON, and for each data source its tables and its outbox.
 *
 * <p>Auto-configurations have other names in Boot 4, so both are given.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(WaybillProperties.class)
@Import({CodecConfiguration.class, OutboxRegistrar.class})
public class WaybillAutoConfiguration {

    /** Static, because transaction managers are made early. */
    @Bean
    static CommitListening waybillCommitListening() {
        return new CommitListening();
    }

    /** Static, because it is needed before all settings. */
    @Bean
    static SectionValues waybillSectionValues() {
        return new SectionValues();
    }

    @Bean
    @ConditionalOnMissingBean
    EventMaker waybillEventMaker(
            WaybillProperties properties,
            PayloadCodec codec,
            Environment environment,
            ObjectProvider<EventCustomizer> customizers) {
        Map<String, EventMaker.Destination> destinations = new HashMap<>();
        properties
                .destinations()
                .forEach((name, settings) ->
                        destinations.put(name, new EventMaker.Destination(settings.key(), settings.headers())));
        return new EventMaker(
                codec,
                environment::resolveRequiredPlaceholders,
                destinations,
                // When the first event is published: they may need beans that publish themselves.
                SingletonSupplier.of(() -> customizers.orderedStream().toList())::obtain);
    }

    @Bean(OutboxRegistrar.UNITS)
    OutboxUnits waybillUnits(
            WaybillProperties properties,
            EventMaker maker,
            ObjectProvider<MeterRegistry> registry,
            ObjectProvider<PayloadLimits> limits,
            ObjectProvider<DirectRoutes> routes) {
        return new OutboxUnits(properties, maker, meters(properties, registry), limits, routes);
    }

    @Bean
    @ConditionalOnMissingBean
    ApplicationEvents waybillApplicationEvents(ApplicationContext context, ObjectProvider<TypedOutbox> outboxes) {
        return new ApplicationEvents(
                context, SingletonSupplier.of(() -> outboxes.stream().toList())::obtain);
    }

    /** The only or primary one of the application, all of them if none is primary, or one that counts for nobody. */
    static MeterRegistry meters(WaybillProperties properties, ObjectProvider<MeterRegistry> registry) {
        CompositeMeterRegistry all = new CompositeMeterRegistry();
        if (!properties.metrics().enabled()) {
            return all;
        }
        return registry.getIfUnique(() -> {
            registry.orderedStream().forEach(all::add);
            return all;
        });
    }
}
