package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/kafka.md: they compile, they work, and the page shows this very text. */
class KafkaExampleTest {
    @TempDir
    Path folder;

    private final List<Event> handled = Collections.synchronizedList(new ArrayList<>());

    @Test
    void theExamplesOfThePageDeliverAndConsume() {
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        Event event = Event.to("shop:orders").key("o-1").type("OrderPlaced").build();
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, List.of(event), Set.of());
            transaction.commit();
        }
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("orders", 1);
            String bootstrapServers = broker.bootstrapServers();
            // deliver
            KafkaTransport kafka = KafkaTransport.create(KafkaTransportConfig.of(bootstrapServers)
                    .withSource("/shop/orders")
                    .withTopics(Map.of("shop:orders", "orders"))
                    .withProperty("compression.type", "lz4"));
            Relay relay =
                    Relay.builder(store).route("shop:orders", kafka).build().start();
            // end
            try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers)) {
                consumer.subscribe(List.of("orders"));
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    consume(consumer);
                    return handled.contains(event);
                });
            }
            handled.clear();
            MemoryOutboxStore siding = new MemoryOutboxStore(InstantSource.system());
            ExecutorService executor = Executors.newFixedThreadPool(2);
            // inbox
            InboxConsumer<MemoryTransaction> mailer = InboxConsumer.named("mailer", siding.inbox())
                    .on("OrderPlaced", (transaction, delivery) -> handle(delivery.event()))
                    .build();
            KafkaInboxConsumer reading =
                    KafkaInboxConsumer.start(KafkaConsumerConfig.of(bootstrapServers, "orders"), mailer);
            Relay retries = SidingRelay.start(siding, executor, mailer);
            // end
            await().atMost(Duration.ofSeconds(30)).until(() -> !handled.isEmpty());
            reading.close();
            retries.close();
            executor.shutdown();
            relay.close();
            kafka.close();
        }
    }

    @Test
    void theExampleOfExactlyOnceDelivers() {
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        Event event = Event.to("orders").key("o-1").type("OrderPlaced").build();
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, List.of(event), Set.of());
            transaction.commit();
        }
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("orders", 1);
            String bootstrapServers = broker.bootstrapServers();
            // exactly once
            ExactlyOnceKafkaTransport kafka =
                    ExactlyOnceKafkaTransport.create(KafkaTransportConfig.of(bootstrapServers), "shop-orders");
            // end
            try (Relay relay =
                    Relay.builder(store).route("orders", kafka).build().start()) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> relay.status().delivered() == 1);
            }
            kafka.close();
        }
    }

    private void consume(KafkaConsumer<byte[], byte[]> consumer) {
        // consume
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
            Delivery delivery = KafkaHeaders.read(record);
            handle(delivery.event());
        }
        // end
    }

    @Test
    void thePageShowsTheseExamples() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("kafka.md");
        String source = Files.readString(Path.of("src/test/java/dev/waybill/transport/kafka/KafkaExampleTest.java"));

        assertThat(Files.readString(page))
                .contains(
                        example(source, "deliver"),
                        example(source, "exactly once"),
                        example(source, "inbox"),
                        example(source, "consume"));
    }

    private static String example(String source, String name) {
        int start = source.indexOf("// " + name + "\n") + ("// " + name + "\n").length();
        return source.substring(start, source.indexOf("// end\n", start))
                .stripIndent()
                .strip();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", bootstrapServers, "group.id", "loop", "auto.offset.reset", "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void handle(Event event) {
        handled.add(event);
    }
}
