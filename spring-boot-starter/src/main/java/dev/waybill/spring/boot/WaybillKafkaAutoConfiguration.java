package dev.waybill.spring.boot;

import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.inbox.KafkaConsumers;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.spring.relay.Transports;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.ExactlyOnceKafkaTransport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/** Events to Kafka topics, and from them to the application's consumers, where brokers are set. */
@AutoConfiguration(after = WaybillConsumerAutoConfiguration.class, before = WaybillRelayAutoConfiguration.class)
@ConditionalOnClass(name = KafkaBrokers.TRANSPORT)
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
@Conditional(KafkaBrokers.Known.class)
public class WaybillKafkaAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(WaybillKafkaAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    KafkaTransportConfig waybillKafkaConfig(WaybillProperties properties, Environment environment) {
        WaybillProperties.Kafka kafka = properties.kafka();
        if (kafka.deliveryTimeout().multipliedBy(2).compareTo(properties.relay().deliveryTimeout()) > 0) {
            throw new SetupException(
                    "waybill.kafka.delivery-timeout is " + kafka.deliveryTimeout() + ", more than half of"
                            + " waybill.relay.delivery-timeout, which is "
                            + properties.relay().deliveryTimeout() + ": the relay would give up before Kafka answers.",
                    "Lower the first, or raise the second.");
        }
        return CoreConfigs.checked("waybill.kafka", () -> config(properties, environment));
    }

    @Bean(name = Transports.KAFKA)
    @ConditionalOnMissingBean(name = Transports.KAFKA)
    Transport waybillKafkaTransport(
            KafkaTransportConfig config, WaybillProperties properties, Environment environment) {
        WaybillProperties.Kafka kafka = properties.kafka();
        String named =
                kafka.outbox().isEmpty() ? environment.getProperty("spring.application.name", "") : kafka.outbox();
        if (!kafka.exactlyOnce() || !properties.outbox().enabled()) {
            return KafkaTransport.create(config);
        }
        if (named.isBlank() || properties.dataSources().size() > 1) {
            log.info(
                    "Events go to Kafka at least once: {}",
                    named.isBlank()
                            ? "exactly once needs waybill.kafka.outbox or spring.application.name"
                            : "exactly once is for one outbox, and waybill.data-sources names several");
            return KafkaTransport.create(config);
        }
        return CoreConfigs.checked(
                "waybill.kafka.outbox", () -> ExactlyOnceKafkaTransport.create(config, fit(named, kafka)));
    }

    /** An application may have a name that Kafka would not take; one that was set for Kafka is taken as it is. */
    private static String fit(String name, WaybillProperties.Kafka kafka) {
        return kafka.outbox().isEmpty() ? name.strip().replaceAll("[^A-Za-z0-9._-]", "-") : name;
    }

    @Bean
    @ConditionalOnMissingBean
    KafkaConsumers waybillKafkaConsumers(
            WaybillProperties properties,
            Consumers consumers,
            RouteTable routes,
            KafkaTransportConfig config,
            ObjectProvider<MeterRegistry> registries) {
        KafkaReading reading = new KafkaReading(properties, consumers, routes, config);
        return new KafkaConsumers(consumers, reading::configs, WaybillAutoConfiguration.meters(properties, registries));
    }

    @Bean
    static LazyInitializationExcludeFilter waybillKafkaIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(KafkaConsumers.class);
    }

    private static KafkaTransportConfig config(WaybillProperties properties, Environment environment) {
        WaybillProperties.Kafka kafka = properties.kafka();
        Map<String, String> topics = new HashMap<>();
        properties.destinations().forEach((destination, settings) -> {
            if (!settings.topic().isEmpty()) {
                topics.put(destination, settings.topic());
            }
        });
        KafkaTransportConfig config = KafkaTransportConfig.of(KafkaBrokers.of(environment))
                .withTopics(topics)
                .withDeliveryTimeout(kafka.deliveryTimeout())
                .withProperties(kafka.producerProperties());
        KafkaTransportConfig named = config.withSource(source(kafka, environment, config.source()));
        topics.keySet().forEach(named::topicOf);
        return kafka.partitions() == 0 ? named : named.withTopicCreation(kafka.partitions(), kafka.replicationFactor());
    }

    private static String source(WaybillProperties.Kafka kafka, Environment environment, String otherwise) {
        if (!kafka.source().isEmpty()) {
            return kafka.source();
        }
        String application = environment.getProperty("spring.application.name", "");
        try {
            return application.isBlank() ? otherwise : new URI(null, null, "/" + application, null).toString();
        } catch (URISyntaxException e) {
            return otherwise;
        }
    }
}
