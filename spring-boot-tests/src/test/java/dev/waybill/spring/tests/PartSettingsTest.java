package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxConfig;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.resilience.BreakerConfig;
import dev.waybill.resilience.ResilienceConfig;
import dev.waybill.resilience.RetryConfig;
import dev.waybill.resilience.WindowType;
import dev.waybill.spring.boot.WaybillConsumerAutoConfiguration;
import dev.waybill.spring.boot.WaybillKafkaAutoConfiguration;
import dev.waybill.spring.boot.WaybillProperties;
import dev.waybill.spring.boot.WaybillRelayAutoConfiguration;
import dev.waybill.spring.boot.WaybillResilienceAutoConfiguration;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.spring.relay.Transports;
import dev.waybill.transport.kafka.ExactlyOnceKafkaTransport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import dev.waybill.transport.kafka.TopicCreation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Settings that become the configuration of a part, whose own tests show what it does with them. */
class PartSettingsTest {
    private final ApplicationContextRunner parts = new ApplicationContextRunner()
            .withUserConfiguration(Settings.class)
            .withConfiguration(AutoConfigurations.of(
                    WaybillConsumerAutoConfiguration.class,
                    WaybillKafkaAutoConfiguration.class,
                    WaybillRelayAutoConfiguration.class,
                    WaybillResilienceAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(WaybillProperties.class)
    static class Settings {}

    private <B> B with(Class<B> type, String... settings) {
        AtomicReference<B> found = new AtomicReference<>();
        parts.withPropertyValues(settings).run(context -> found.set(context.getBean(type)));
        return Objects.requireNonNull(found.get());
    }

    private RetryPolicy retryOf(String destination, String... settings) {
        AtomicReference<RetryPolicy> found = new AtomicReference<>();
        parts.withPropertyValues(settings)
                .run(context -> found.set(
                        context.getBean(RouteTable.class).of(destination).retry()));
        return Objects.requireNonNull(found.get());
    }

    @Test
    void withoutSettingsThePartsHaveTheirOwnDefaults() {
        assertThat(with(RelayConfig.class)).isEqualTo(RelayConfig.defaults());
        assertThat(with(InboxConfig.class)).isEqualTo(InboxConfig.defaults());
        assertThat(with(ResilienceConfig.class)).isEqualTo(ResilienceConfig.defaults());
        assertThat(retryOf("any")).isEqualTo(RetryPolicy.defaults());
    }

    @Test
    @Setting({
        "waybill.relay.lease",
        "waybill.relay.poll-interval",
        "waybill.relay.max-batch-size",
        "waybill.relay.window",
        "waybill.relay.window-size",
        "waybill.relay.delivery-timeout",
        "waybill.relay.settle-delay",
        "waybill.relay.probe-first",
        "waybill.relay.probe-longest",
        "waybill.relay.rescan-interval"
    })
    void aRelayWorksAsItsSettingsSay() {
        assertThat(with(
                        RelayConfig.class,
                        "waybill.relay.lease=20s",
                        "waybill.relay.poll-interval=2s",
                        "waybill.relay.max-batch-size=10",
                        "waybill.relay.window=100",
                        "waybill.relay.window-size=1MB",
                        "waybill.relay.delivery-timeout=60s",
                        "waybill.relay.settle-delay=20ms",
                        "waybill.relay.probe-first=1s",
                        "waybill.relay.probe-longest=3s",
                        "waybill.relay.rescan-interval=1m"))
                .isEqualTo(new RelayConfig(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(2),
                        10,
                        100,
                        1024 * 1024,
                        Duration.ofSeconds(60),
                        Duration.ofMillis(20),
                        new RetryPolicy(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofSeconds(3)),
                        Duration.ofMinutes(1)));
    }

    @Test
    @Setting({
        "waybill.retry.max-attempts",
        "waybill.retry.first-wait",
        "waybill.retry.longest-wait",
        "waybill.destinations.*.max-attempts",
        "waybill.destinations.*.first-wait",
        "waybill.destinations.*.longest-wait"
    })
    void aDestinationHasTheUsualRetriesExceptForWhatItSaysItself() {
        String[] settings = {
            "waybill.retry.max-attempts=5",
            "waybill.retry.first-wait=2s",
            "waybill.retry.longest-wait=20s",
            "waybill.destinations.few.max-attempts=2",
            "waybill.destinations.slow.first-wait=3s",
            "waybill.destinations.slow.longest-wait=30s"
        };
        assertThat(retryOf("any", settings))
                .isEqualTo(new RetryPolicy(5, Duration.ofSeconds(2), Duration.ofSeconds(20)));
        assertThat(retryOf("few", settings))
                .isEqualTo(new RetryPolicy(2, Duration.ofSeconds(2), Duration.ofSeconds(20)));
        assertThat(retryOf("slow", settings))
                .isEqualTo(new RetryPolicy(5, Duration.ofSeconds(3), Duration.ofSeconds(30)));
    }

    @Test
    @Setting({"waybill.inbox.lease", "waybill.inbox.longest-wait", "waybill.inbox.first-wait"})
    void consumersWorkAsTheirSettingsSay() {
        assertThat(with(
                        InboxConfig.class,
                        "waybill.inbox.lease=40s",
                        "waybill.inbox.redelivery-age=1d",
                        "waybill.inbox.max-attempts=7",
                        "waybill.inbox.first-wait=1s",
                        "waybill.inbox.longest-wait=2s"))
                .isEqualTo(new InboxConfig(
                        new RetryPolicy(7, Duration.ofSeconds(1), Duration.ofSeconds(2)),
                        Duration.ofSeconds(40),
                        Duration.ofDays(1)));
    }

    @Test
    @Setting({
        "waybill.kafka.bootstrap-servers",
        "waybill.kafka.source",
        "waybill.kafka.partitions",
        "waybill.kafka.replication-factor",
        "waybill.kafka.delivery-timeout",
        "waybill.kafka.producer-properties",
        "waybill.destinations.*.topic"
    })
    void theTransportToKafkaIsMadeOfItsSettings() {
        KafkaTransportConfig config = with(
                KafkaTransportConfig.class,
                "spring.kafka.bootstrap-servers=elsewhere:9092",
                "waybill.kafka.bootstrap-servers=localhost:1",
                "waybill.kafka.source=/shop",
                "waybill.kafka.partitions=3",
                "waybill.kafka.replication-factor=2",
                "waybill.kafka.delivery-timeout=5s",
                "waybill.kafka.producer-properties.linger.ms=7",
                "waybill.destinations.orders.topic=shop-orders");
        assertThat(config.bootstrapServers()).isEqualTo("localhost:1");
        assertThat(config.source()).isEqualTo("/shop");
        assertThat(config.topicCreation()).isEqualTo(new TopicCreation(3, (short) 2));
        assertThat(config.deliveryTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.properties()).containsEntry("linger.ms", "7");
        assertThat(config.topicOf("orders")).isEqualTo("shop-orders");
        assertThat(config.topicOf("others")).isEqualTo("others");
    }

    @Test
    void springsOwnBrokersAndTheNameOfTheApplicationAreUsedIfNothingElseIsSet() {
        KafkaTransportConfig config = with(
                KafkaTransportConfig.class,
                "spring.kafka.bootstrap-servers[0]=localhost:1",
                "spring.kafka.bootstrap-servers[1]=localhost:2",
                "spring.application.name=my shop");
        assertThat(config.bootstrapServers()).isEqualTo("localhost:1,localhost:2");
        assertThat(config.source()).isEqualTo("/my%20shop");
        assertThat(config.topicCreation()).isNull();
    }

    @Test
    @Setting({"waybill.kafka.exactly-once", "waybill.kafka.outbox"})
    void eventsGoToKafkaExactlyOnceUnderTheNameOfTheOutboxIfThereIsOne() {
        assertThat(kafka("spring.application.name=my shop"))
                .isInstanceOf(ExactlyOnceKafkaTransport.class)
                .hasToString("ExactlyOnceKafkaTransport[localhost:1, waybill-ledger-my-shop]");
        assertThat(kafka("spring.application.name=my shop", "waybill.kafka.outbox=orders"))
                .hasToString("ExactlyOnceKafkaTransport[localhost:1, waybill-ledger-orders]");
        assertThat(kafka("waybill.kafka.outbox=orders", "waybill.kafka.exactly-once=false"))
                .isInstanceOf(KafkaTransport.class);
        assertThat(kafka("waybill.kafka.outbox=orders", "waybill.data-sources=one,two"))
                .isInstanceOf(KafkaTransport.class);
        assertThat(kafka()).isInstanceOf(KafkaTransport.class);
    }

    private Object kafka(String... settings) {
        AtomicReference<Object> found = new AtomicReference<>();
        parts.withPropertyValues("waybill.kafka.bootstrap-servers=localhost:1")
                .withPropertyValues(settings)
                .run(context -> found.set(context.getBean(Transports.KAFKA)));
        return Objects.requireNonNull(found.get());
    }

    @Test
    void whatTheRelayCouldNotWaitForIsRefused() {
        parts.withPropertyValues("waybill.kafka.bootstrap-servers=localhost:1", "waybill.kafka.delivery-timeout=20s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("waybill.relay.delivery-timeout"));
    }

    @Test
    @Setting({
        "waybill.resilience.enabled",
        "waybill.resilience.breaker.failure-rate-threshold",
        "waybill.resilience.breaker.open-time",
        "waybill.resilience.breaker.window-type",
        "waybill.resilience.breaker.window-size",
        "waybill.resilience.breaker.minimum-calls",
        "waybill.resilience.breaker.half-open-calls",
        "waybill.resilience.breaker.count-non-retryable",
        "waybill.resilience.retry.max-attempts",
        "waybill.resilience.retry.first-wait",
        "waybill.resilience.retry.multiplier",
        "waybill.resilience.retry.jitter",
        "waybill.resilience.retry.longest-wait"
    })
    void theDefaultsOfAllBreakersAndRetriesCanBeSet() {
        ResilienceConfig config = with(
                ResilienceConfig.class,
                "waybill.resilience.enabled=false",
                "waybill.resilience.breaker.failure-rate-threshold=30",
                "waybill.resilience.breaker.open-time=3s",
                "waybill.resilience.breaker.window-type=time",
                "waybill.resilience.breaker.window-size=20",
                "waybill.resilience.breaker.minimum-calls=4",
                "waybill.resilience.breaker.half-open-calls=2",
                "waybill.resilience.breaker.count-non-retryable=true",
                "waybill.resilience.retry.max-attempts=4",
                "waybill.resilience.retry.first-wait=1s",
                "waybill.resilience.retry.multiplier=3",
                "waybill.resilience.retry.jitter=0.1",
                "waybill.resilience.retry.longest-wait=9s");
        assertThat(config.enabled()).isFalse();
        assertThat(config.breaker())
                .isEqualTo(new BreakerConfig(30, Duration.ofSeconds(3), WindowType.TIME, 20, 4, 2, true));
        assertThat(config.retry()).isEqualTo(new RetryConfig(4, Duration.ofSeconds(1), 3, 0.1, Duration.ofSeconds(9)));
    }

    @Test
    @Setting({
        "waybill.resilience.instances.*.breaker.failure-rate-threshold",
        "waybill.resilience.instances.*.breaker.open-time",
        "waybill.resilience.instances.*.breaker.window-type",
        "waybill.resilience.instances.*.breaker.window-size",
        "waybill.resilience.instances.*.breaker.minimum-calls",
        "waybill.resilience.instances.*.breaker.half-open-calls",
        "waybill.resilience.instances.*.breaker.count-non-retryable",
        "waybill.resilience.instances.*.retry.max-attempts",
        "waybill.resilience.instances.*.retry.first-wait",
        "waybill.resilience.instances.*.retry.multiplier",
        "waybill.resilience.instances.*.retry.jitter",
        "waybill.resilience.instances.*.retry.longest-wait"
    })
    void oneNameMayDifferPropertyByProperty() {
        ResilienceConfig config = with(
                ResilienceConfig.class,
                "waybill.resilience.breaker.half-open-calls=6",
                "waybill.resilience.instances.pay.breaker.failure-rate-threshold=30",
                "waybill.resilience.instances.pay.breaker.open-time=3s",
                "waybill.resilience.instances.pay.breaker.window-type=time",
                "waybill.resilience.instances.pay.breaker.window-size=20",
                "waybill.resilience.instances.pay.breaker.minimum-calls=4",
                "waybill.resilience.instances.pay.breaker.count-non-retryable=true",
                "waybill.resilience.instances.pay.retry.max-attempts=4",
                "waybill.resilience.instances.pay.retry.first-wait=1s",
                "waybill.resilience.instances.pay.retry.multiplier=3",
                "waybill.resilience.instances.pay.retry.jitter=0.1",
                "waybill.resilience.instances.pay.retry.longest-wait=9s",
                "waybill.resilience.instances.ship.breaker.half-open-calls=9");
        assertThat(config.breakerOf("pay"))
                .isEqualTo(new BreakerConfig(30, Duration.ofSeconds(3), WindowType.TIME, 20, 4, 6, true));
        assertThat(config.retryOf("pay"))
                .isEqualTo(new RetryConfig(4, Duration.ofSeconds(1), 3, 0.1, Duration.ofSeconds(9)));
        assertThat(config.breakerOf("ship").halfOpenCalls()).isEqualTo(9);
        assertThat(config.breakerOf("ship").openTime())
                .isEqualTo(BreakerConfig.defaults().openTime());
    }
}
