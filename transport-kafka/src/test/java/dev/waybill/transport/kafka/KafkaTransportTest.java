package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.testkit.transport.TransportContract;
import dev.waybill.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all transports on a real broker, and what the records look like there. */
class KafkaTransportTest extends TransportContract {
    @TempDir
    static Path folder;

    private static @Nullable KafkaBroker broker;

    private final String topic = "contract." + UUID.randomUUID();
    private @Nullable TopicReader reader;

    @BeforeAll
    static void startBroker() {
        broker = KafkaBroker.start(folder);
    }

    @AfterAll
    static void stopBroker() {
        broker().close();
    }

    @Override
    protected Transport open() {
        broker().createTopic(topic, 3);
        reader = new TopicReader(broker().bootstrapServers(), topic);
        return KafkaTransport.create(
                KafkaTransportConfig.of(broker().bootstrapServers()).withSource("/shop"));
    }

    @AfterEach
    void closeReader() {
        reader().close();
    }

    @Override
    protected String destination() {
        return topic;
    }

    @Override
    protected List<Arrival> arrived() {
        return reader().records().stream()
                .map(record -> Arrival.of(KafkaHeaders.read(record).event()))
                .toList();
    }

    @Test
    void theRecordIsACloudEventInBinaryMode() {
        Event event = Event.to(topic)
                .key("Größe 🚚")
                .type("OrderPlaced")
                .version(3)
                .json("{}")
                .occurredAt(Instant.parse("2026-03-01T12:00:00.123456Z"))
                .header("tenant", "acme")
                .build();
        try (KafkaTransport transport = KafkaTransport.create(
                KafkaTransportConfig.of(broker().bootstrapServers()).withSource("/shop"))) {
            new Answers().of(transport, event);
        }

        ConsumerRecord<byte[], byte[]> record = reader().await(1).get(0);
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("Größe 🚚");
        assertThat(headers)
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("ce_specversion", "1.0"),
                        Map.entry("ce_id", event.id().toString()),
                        Map.entry("ce_type", "OrderPlaced"),
                        Map.entry("ce_source", "/shop"),
                        Map.entry("ce_time", "2026-03-01T12:00:00.123456Z"),
                        Map.entry("ce_subject", "Größe 🚚"),
                        Map.entry("content-type", "application/json"),
                        Map.entry("waybill-sequence", "1"),
                        Map.entry("waybill-version", "3"),
                        Map.entry("tenant", "acme")));
        assertThat(KafkaHeaders.read(record).event()).isEqualTo(event);
    }

    @Test
    void anEventWithoutKeyHasARecordWithoutKey() {
        Event event = Event.to(topic).type("Ticked").build();
        try (KafkaTransport transport = KafkaTransport.create(KafkaTransportConfig.of(broker().bootstrapServers()))) {
            new Answers().of(transport, event);
        }

        ConsumerRecord<byte[], byte[]> record = reader().await(1).get(0);
        assertThat(record.key()).isNull();
        assertThat(record.headers().lastHeader(KafkaHeaders.SUBJECT)).isNull();
        assertThat(KafkaHeaders.read(record).event()).isEqualTo(event);
    }

    private static KafkaBroker broker() {
        return Objects.requireNonNull(broker);
    }

    private TopicReader reader() {
        return Objects.requireNonNull(reader);
    }
}
