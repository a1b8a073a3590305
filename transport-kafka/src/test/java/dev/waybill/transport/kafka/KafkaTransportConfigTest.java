package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaTransportConfigTest {
    private final KafkaTransportConfig config = KafkaTransportConfig.of("localhost:9092");

    @ParameterizedTest
    @CsvSource({
        "acks, 1, lost",
        "acks, 0, lost",
        "enable.idempotence, false, twice",
        "max.in.flight.requests.per.connection, 6, 1 to 5",
        "max.in.flight.requests.per.connection, many, 1 to 5",
        "partitioner.class, com.example.Mine, one partition",
        "partitioner.ignore.keys, true, one partition",
        "key.serializer, com.example.Mine, UTF-8",
        "value.serializer, com.example.Mine, as it is",
        "transactional.id, tx-1, transactions",
        "max.block.ms, 60000, wait behind",
        "delivery.timeout.ms, 120000, withDeliveryTimeout",
        "bootstrap.servers, other:9092, setting of its own",
    })
    void whatWouldBreakAPromiseIsRefusedWithTheReason(String name, String value, String reason) {
        assertThatThrownBy(() -> config.withProperty(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name + "=" + value)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "acks, all",
        "acks, -1",
        "enable.idempotence, TRUE",
        "max.in.flight.requests.per.connection, 1",
        "compression.type, lz4",
        "linger.ms, 20",
        "some.interceptors.own, setting",
    })
    void whatBreaksNothingIsPassedOn(String name, String value) {
        assertThat(config.withProperty(name, value).properties()).containsEntry(name, value);
    }

    @ParameterizedTest
    @CsvSource({"linger.ms, soon", "compression.type, zip", "retries, 0"})
    void whatKafkaItselfDoesNotTakeIsRefusedAtOnce(String name, String value) {
        assertThatThrownBy(() -> config.withProperty(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Kafka's producer");
    }

    @Test
    void topicsHaveTheNamesOfTheirDestinationsUnlessMapped() {
        KafkaTransportConfig mapped = config.withTopics(Map.of("shop:orders", "prod.orders"));

        assertThat(mapped.topicOf("shop:orders")).isEqualTo("prod.orders");
        assertThat(mapped.topicOf("mail")).isEqualTo("mail");
        assertThat(config.withTopics(destination -> "prod." + destination).topicOf("mail"))
                .isEqualTo("prod.mail");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop:orders", "shop/orders", "shop$orders", "..", "."})
    void aTopicThatKafkaDoesNotAllowIsRefused(String topic) {
        assertThatThrownBy(() -> config.withTopics(Map.of("d", topic)).topicOf("d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + topic + "\"")
                .hasMessageContaining("withTopics");
    }

    @Test
    void otherNonsenseIsRefused() {
        assertThatThrownBy(() -> KafkaTransportConfig.of(" ")).hasMessageContaining("bootstrapServers");
        assertThatThrownBy(() -> config.withSource("")).hasMessageContaining("URI");
        assertThatThrownBy(() -> config.withSource("not a uri")).hasMessageContaining("URI");
        assertThatThrownBy(() -> config.withDeliveryTimeout(Duration.ofMillis(10)))
                .hasMessageContaining("deliveryTimeout");
        assertThatThrownBy(() -> config.withProperty("request.timeout.ms", "20000"))
                .hasMessageContaining("do not fit");
        assertThatThrownBy(() -> config.withProperty("buffer.memory", "100000")).hasMessageContaining("batch.size");
        assertThatThrownBy(() -> config.withTopicCreation(0, 1)).hasMessageContaining("partitions");
        assertThatThrownBy(() -> config.withTopicCreation(1, 0)).hasMessageContaining("replicationFactor");
        assertThatThrownBy(() -> config.withTopicCreation(1, -65_535)).hasMessageContaining("replicationFactor");
        assertThatThrownBy(() -> config.withSource("a\nb")).hasMessageContaining("a\\nb");
        assertThatThrownBy(() -> config.topicOf("a\nb")).hasMessageContaining("a\\nb");
        assertThatThrownBy(() -> config.withProperty("linger.ms", "a\nb")).hasMessageContaining("a\\nb");
        assertThatThrownBy(() -> KafkaTransport.create(config.withProperty("max.request.size", "10000")))
                .hasMessageContaining("max.request.size");
    }

    @Test
    void itShowsNoPasswords() {
        assertThat(config.withProperty("sasl.jaas.config", "password=\"secret\"")
                        .toString())
                .contains("sasl.jaas.config")
                .doesNotContain("secret");
    }
}
