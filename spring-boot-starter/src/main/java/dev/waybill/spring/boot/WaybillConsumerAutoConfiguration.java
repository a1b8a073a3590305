package dev.waybill.spring.boot;

import dev.waybill.event.PayloadCodec;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.resilience.Resilience;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.Upcast;
import dev.waybill.spring.boot.WaybillProperties.Consumer;
import dev.waybill.spring.boot.WaybillProperties.UnknownTypes;
import dev.waybill.spring.inbox.ConsumerPlan;
import dev.waybill.spring.inbox.ConsumerSettings;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.inbox.HandlerThreads;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Transports;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/** Makes consumers of the application's methods with {@link dev.waybill.spring.EventHandler}. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
public class WaybillConsumerAutoConfiguration {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    @Bean
    @ConditionalOnMissingBean
    HandlerThreads waybillHandlerThreads(WaybillProperties properties, Environment environment) {
        boolean virtual = environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
        return new HandlerThreads(
                properties.inbox().threads(), virtual, properties.relay().shutdownTimeout());
    }

    @Bean
    @ConditionalOnMissingBean
    InboxConfig waybillInboxConfig(WaybillProperties properties) {
        WaybillProperties.Inbox inbox = properties.inbox();
        return CoreConfigs.checked(
                "waybill.inbox",
                () -> new InboxConfig(
                        new RetryPolicy(inbox.maxAttempts(), inbox.firstWait(), inbox.longestWait()),
                        inbox.lease(),
                        inbox.redeliveryAge()));
    }

    @Bean
    @ConditionalOnMissingBean
    Consumers waybillConsumers(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            WaybillProperties properties,
            InboxConfig usual,
            InboxParts parts,
            HandlerThreads threads) {
        if (!KafkaBrokers.areUsed(environment)) {
            requireNoTopics(properties);
        }
        return new Consumers(
                beans,
                () -> parts.tables(properties),
                SingletonSupplier.of(() -> parts.handling(properties)),
                threads,
                plan(properties, usual),
                properties.relay().shutdownTimeout());
    }

    @Bean
    InboxParts waybillInboxParts(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ObjectProvider<OutboxUnit> units,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<PayloadCodec> codecs,
            ObjectProvider<Upcast> upcasts,
            ObjectProvider<HandlerInterceptor> interceptors,
            ObjectProvider<HandlerGuard> guards,
            ObjectProvider<Resilience> resilience,
            ObjectProvider<MeterRegistry> registries) {
        Supplier<DataSource> first = () ->
                beans.getBean(new DataSourceNames(environment, beans).find().get(0), DataSource.class);
        return new InboxParts(units, first, managers, codecs, upcasts, interceptors, guards, resilience, registries);
    }

    @Bean(name = Transports.IN_PROCESS)
    @ConditionalOnMissingBean(name = Transports.IN_PROCESS)
    Transport waybillInProcessTransport(Consumers consumers) {
        return consumers.transport();
    }

    @Bean
    static LazyInitializationExcludeFilter waybillConsumersAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(Consumers.class, HandlerThreads.class);
    }

    private static ConsumerPlan plan(WaybillProperties properties, InboxConfig usual) {
        WaybillProperties.Inbox inbox = properties.inbox();
        Map<String, ConsumerSettings> named = new HashMap<>();
        properties
                .consumers()
                .forEach((name, consumer) -> named.put(
                        name, CoreConfigs.checked("waybill.consumers." + name, () -> settings(consumer, usual))));
        return new ConsumerPlan(
                inbox.enabled(),
                new ConsumerSettings(true, usual, false),
                named,
                inbox.enabled() ? found -> requireFound(named.keySet(), found) : found -> {});
    }

    private static ConsumerSettings settings(Consumer consumer, InboxConfig usual) {
        RetryPolicy retry =
                Retries.merged(usual.retry(), consumer.maxAttempts(), consumer.firstWait(), consumer.longestWait());
        return new ConsumerSettings(
                consumer.enabled(), usual.withRetry(retry), consumer.unknownTypes() == UnknownTypes.IGNORE);
    }

    private static void requireNoTopics(WaybillProperties properties) {
        properties.consumers().forEach((name, consumer) -> {
            if (!consumer.topics().isEmpty()) {
                throw new SetupException(
                        "waybill.consumers." + name + ".topics is " + consumer.topics()
                                + ", but there is no Kafka to read from.",
                        "Add waybill-transport-kafka and set waybill.kafka.bootstrap-servers.");
            }
        });
    }

    /** A misspelt name would leave a consumer with settings that nobody wanted. */
    private static void requireFound(Set<String> named, Set<String> found) {
        for (String name : new TreeSet<>(named)) {
            if (!found.contains(name)) {
                throw new SetupException(
                        "There are settings for waybill.consumers." + name
                                + ", but no method with @EventHandler(consumer = \"" + name + "\"); the consumers are "
                                + new TreeSet<>(found) + ".",
                        found.stream()
                                .min(Comparator.comparingInt(other -> NearestSetting.distance(name, other)))
                                .map(nearest -> "Did you mean waybill.consumers." + nearest + "?")
                                .orElse("Remove them, or add a handler."));
            }
        }
    }
}
