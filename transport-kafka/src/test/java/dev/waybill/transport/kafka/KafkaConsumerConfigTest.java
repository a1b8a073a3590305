package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaConsumerConfigTest {
    private final KafkaConsumerConfig config = KafkaConsumerConfig.of("localhost:9092", "orders");

    @ParameterizedTest
    @CsvSource({
        "enable.auto.commit, true, lost",
        "auto.offset.reset, latest, passed over",
        "auto.offset.reset, by_duration:PT1H, passed over",
        "key.deserializer, com.example.Mine, UTF-8",
        "value.deserializer, com.example.Mine, as it is",
        "group.id, other, withGroupId",
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
        "enable.auto.commit, FALSE",
        "auto.offset.reset, none",
        "auto.offset.reset, earliest",
        "max.poll.records, 100",
        "isolation.level, read_uncommitted",
        "group.protocol, consumer",
        "some.interceptors.own, setting",
    })
    void whatBreaksNothingIsPassedOn(String name, String value) {
        assertThat(ConsumerSettings.consumer(config.withProperty(name, value), "mailer"))
                .containsEntry(name, name.equals("enable.auto.commit") ? "false" : value);
    }

    @ParameterizedTest
    @CsvSource({"max.poll.records, many", "isolation.level, some", "max.poll.records, 0"})
    void whatKafkaItselfDoesNotTakeIsRefusedAtOnce(String name, String value) {
        assertThatThrownBy(() -> config.withProperty(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Kafka's consumer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop:orders", "", "..", "a b"})
    void aTopicThatKafkaDoesNotAllowIsRefused(String topic) {
        assertThatThrownBy(() -> config.withTopics(Set.of(topic))).hasMessageContaining("\"" + topic + "\"");
    }

    @Test
    void otherNonsenseIsRefused() {
        assertThatThrownBy(() -> KafkaConsumerConfig.of(" ", "orders")).hasMessageContaining("bootstrapServers");
        assertThatThrownBy(() -> KafkaConsumerConfig.of("localhost:9092")).hasMessageContaining("topics");
        assertThatThrownBy(() -> config.withGroupId(" ")).hasMessageContaining("groupId");
        assertThatThrownBy(() -> config.withThreads(0)).hasMessageContaining("threads");
        assertThatThrownBy(() -> config.withMaxInFlight(0)).hasMessageContaining("maxInFlight");
        assertThatThrownBy(() -> config.withPatience(Duration.ofSeconds(-1))).hasMessageContaining("patience");
        assertThatThrownBy(() -> config.withPatience(Duration.ofMinutes(5)))
                .hasMessageContaining("max.poll.interval.ms");
        assertThatThrownBy(() -> config.withProperty("max.poll.records", "1001"))
                .hasMessageContaining("maxInFlight");
    }

    @Test
    void aPollFitsIntoWhatMayBeInFlight() {
        assertThat(ConsumerSettings.pollSize(config)).isEqualTo(250);
        assertThat(ConsumerSettings.pollSize(config.withMaxInFlight(1))).isEqualTo(1);
        assertThat(ConsumerSettings.pollSize(config.withMaxInFlight(100_000))).isEqualTo(500);
    }

    @Test
    void theDefaultsLoseNothing() {
        assertThat(ConsumerSettings.consumer(config, "mailer"))
                .containsAllEntriesOf(Map.of(
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false",
                        "group.id", "mailer",
                        "partition.assignment.strategy",
                                "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"));
    }

    @Test
    void itShowsNoPasswords() {
        assertThat(config.withProperty("sasl.jaas.config", "password=\"secret\"")
                        .toString())
                .contains("sasl.jaas.config")
                .doesNotContain("secret");
    }
}
