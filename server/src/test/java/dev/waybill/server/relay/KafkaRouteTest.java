package dev.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.testkit.kafka.KafkaBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay process with a route to a real broker and one to its log. */
class KafkaRouteTest {
    private static final Pools.Target TARGET = new Pools.Target("jdbc:h2:mem:route;DB_CLOSE_DELAY=-1", "sa", "");

    @TempDir
    Path folder;

    @Test
    void eachDestinationGoesItsOwnWay() {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("orders", 1);
            RouteOptions options = RouteOptions.parse(
                    List.of("orders=kafka", "mail=log"), List.of("mail=500"), broker.bootstrapServers(), "shop");
            try (RouteTransports transports = options.open(new PrintStream(log, true, UTF_8));
                    RelayProcess relay = RelayProcess.open(
                            TARGET,
                            JdbcStoreConfig.defaults(),
                            RelayConfig.defaults(),
                            transports.routes(),
                            registry)) {
                assertThat(transports.routes())
                        .hasEntrySatisfying(
                                "mail",
                                route -> assertThat(route.maxPerSecond()).isEqualTo(500));
                CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(relay::run);
                publish();
                List<String> arrived = new ArrayList<>();
                try (KafkaConsumer<String, String> consumer = consumer(broker)) {
                    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                        consumer.poll(Duration.ofMillis(100)).forEach(record -> arrived.add(record.value()));
                        assertThat(arrived).containsExactly("{\"amount\":7}");
                        assertThat(log.toString(UTF_8)).contains("mail.sent mail");
                    });
                }
                relay.stop();
                assertThat(exitCode).succeedsWithin(Duration.ofSeconds(40)).isEqualTo(0);
            }
        }
        assertThat(registry.get("outbox.entries.delivered")
                        .tag("destination", "orders")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private static void publish() {
        try (HikariDataSource pool = Pools.open(TARGET, "test", 1)) {
            JdbcOutboxStore store = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());
            new JdbcOutbox(store, OutboxConfig.defaults()).inTransaction(pool, transaction -> {
                transaction.publish(Event.to("orders")
                        .key("a")
                        .type("order.placed")
                        .json("{\"amount\":7}")
                        .build());
                return transaction.publish(Event.to("mail").type("mail.sent").build());
            });
        }
    }

    private static KafkaConsumer<String, String> consumer(KafkaBroker broker) {
        Map<String, Object> properties = Map.of("bootstrap.servers", broker.bootstrapServers());
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        List<TopicPartition> partitions = List.of(new TopicPartition("orders", 0));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }
}
