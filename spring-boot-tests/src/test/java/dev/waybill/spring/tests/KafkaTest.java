package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.outbox.OutboxLimitException;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.inbox.KafkaConsumers;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaTest {

    @PublishedEvent(destination = "orders", key = "id")
    record Ordered(String id, int step) {}

    @PublishedEvent(destination = "local", key = "id")
    record Local(String id) {}

    record Foreign(String id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Effects effects(JdbcTemplate jdbc) {
            return new Effects(jdbc);
        }

        @Bean
        Reader reader(Effects effects) {
            return new Reader(effects);
        }
    }

    static class Reader {
        private final Effects effects;

        Reader(Effects effects) {
            this.effects = effects;
        }

        @EventHandler(consumer = "stock")
        void on(Ordered order, Delivery delivery) {
            effects.add("ordered " + order.id() + " " + order.step());
            if (order.id().equals("bad") && order.step() == 1) {
                throw new IllegalStateException("bad order");
            }
        }

        @EventHandler(consumer = "nearby")
        void on(Local local) {
            effects.add("local " + local.id());
        }

        @EventHandler(consumer = "foreigners")
        void on(Foreign foreign) {
            effects.add("foreign " + foreign.id());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Mixed {
        @EventHandler(consumer = "mixed")
        void on(Ordered order) {}

        @EventHandler(consumer = "mixed")
        void on(Foreign foreign) {}
    }

    private @Nullable KafkaBroker broker;
    private @Nullable RunningApp running;

    @BeforeAll
    void start(@TempDir Path folder) {
        broker = KafkaBroker.start(folder.resolve("kafka"));
        running = RunningApp.onH2(
                App.class,
                "waybill.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "waybill.kafka.partitions=2",
                "waybill.kafka.outbox=stock",
                "waybill.kafka.consumer-properties.client.id=reading",
                "waybill.destinations.orders.topic=shop-orders",
                "waybill.destinations.local.transport=in-process",
                "waybill.consumers.foreigners.topics=abroad,overseas",
                "waybill.consumers.foreigners.group-id=customs",
                "waybill.consumers.foreigners.threads=3",
                "waybill.consumers.foreigners.max-in-flight=50");
    }

    @AfterAll
    void stop() {
        app().close();
        if (broker != null) {
            broker.close();
        }
    }

    private RunningApp app() {
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    private KafkaBroker broker() {
        if (broker == null) {
            throw new IllegalStateException("not started");
        }
        return broker;
    }

    private List<String> effects(String prefix) {
        return app().bean(Effects.class).of(prefix);
    }

    @Test
    void anEventThatIsTooLargeForKafkaIsRefusedByTheCallThatPublishes() {
        Event large = Event.to("orders")
                .type("large")
                .payload(Payload.utf8("x".repeat(1_040_000)))
                .build();
        assertThatThrownBy(() -> app().publish(large))
                .isInstanceOf(OutboxLimitException.class)
                .hasMessageContaining("max.request.size");
    }

    @Test
    void eventsGoToTheTopicOfTheirDestinationAndToItsHandlerOnceAndInOrder() throws Exception {
        for (int step = 1; step <= 5; step++) {
            app().publish(new Ordered("good", step));
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(effects("ordered good"))
                        .containsExactly(
                                "ordered good 1",
                                "ordered good 2",
                                "ordered good 3",
                                "ordered good 4",
                                "ordered good 5"));
        try (Admin admin = admin()) {
            assertThat(admin.listTopics().names().get()).contains("shop-orders").doesNotContain("orders", "local");
            assertThat(admin.describeTopics(List.of("shop-orders"))
                            .allTopicNames()
                            .get()
                            .values())
                    .singleElement()
                    .satisfies(topic -> assertThat(topic.partitions()).hasSize(2));
        }
    }

    @Test
    void whatAHandlerOfATopicCannotHandleIsItsDeadLetter() {
        app().publish(new Ordered("bad", 1));
        app().publish(new Ordered("bad", 2));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(app().unhandled())
                        .singleElement()
                        .satisfies(
                                letter -> assertThat(letter.entry().lastError()).contains("bad order")));
        assertThat(effects("ordered bad")).isEmpty();
    }

    @Test
    void aDestinationThatIsDeliveredWithinTheProcessDoesNotGoToKafka() {
        app().publish(new Local("here"));
        await().untilAsserted(() -> assertThat(effects("local")).containsExactly("local here"));
        assertThat(reading()).noneMatch(text -> text.contains("nearby"));
    }

    private List<String> reading() {
        List<String> texts = new ArrayList<>();
        app().bean(KafkaConsumers.class).all().forEach(consumer -> texts.add(consumer.toString()));
        return texts;
    }

    @Test
    @Setting({
        "waybill.consumers.*.topics",
        "waybill.consumers.*.group-id",
        "waybill.consumers.*.threads",
        "waybill.consumers.*.max-in-flight",
        "waybill.kafka.consumer-properties"
    })
    void aConsumerReadsTheTopicsOfItsSettingsInItsGroup() throws Exception {
        app().publish(Event.to("abroad")
                .type("Foreign")
                .key("f")
                .payload(Payload.utf8("{\"id\":\"f1\"}"))
                .build());
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(effects("foreign")).containsExactly("foreign f1"));
        assertThat(reading())
                .anyMatch(text -> text.contains("topics=[abroad, overseas]")
                        && text.contains("groupId=customs")
                        && text.contains("threads=3")
                        && text.contains("maxInFlight=50")
                        && text.contains("properties=[client.id]"))
                .anyMatch(text -> text.contains("topics=[shop-orders]") && text.contains("groupId=null"));
        try (Admin admin = admin()) {
            assertThat(admin.listConsumerGroupOffsets("customs")
                            .partitionsToOffsetAndMetadata()
                            .get())
                    .isNotNull();
        }
    }

    @Test
    void aConsumerThatNoTopicIsKnownForFailsTheStart() {
        assertThatThrownBy(() ->
                        RunningApp.onH2(App.class, "waybill.kafka.bootstrap-servers=" + broker().bootstrapServers()))
                .hasStackTraceContaining("waybill.consumers.foreigners.topics");
    }

    /** Destinations that stay in the process, and topics of other handlers, do not feed it. */
    @Test
    void aHandlerWithoutADestinationNeedsTopicsEvenIfOthersAreFed() {
        assertThatThrownBy(() -> RunningApp.onH2(
                        App.class,
                        "waybill.kafka.bootstrap-servers=" + broker().bootstrapServers(),
                        "waybill.destinations.local.transport=in-process"))
                .hasStackTraceContaining("waybill.consumers.foreigners.topics");
        assertThatThrownBy(() ->
                        RunningApp.onH2(Mixed.class, "waybill.kafka.bootstrap-servers=" + broker().bootstrapServers()))
                .hasStackTraceContaining("waybill.consumers.mixed.topics");
    }

    private Admin admin() {
        Properties properties = new Properties();
        properties.putAll(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker().bootstrapServers()));
        return Admin.create(properties);
    }
}
