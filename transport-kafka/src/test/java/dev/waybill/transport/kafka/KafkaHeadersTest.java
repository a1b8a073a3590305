package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a consumer reads from records; how they look on the wire is in {@link KafkaTransportTest}. */
class KafkaHeadersTest {
    private static final UUID ID = UUID.fromString("0198c5b0-0000-7000-8000-000000000001");

    @Test
    void whatWasWrittenIsReadBack() {
        Event event = Event.to("orders")
                .key("Größe – 数量 🚚")
                .type("OrderPlaced")
                .version(7)
                .json("{\"note\": \"数量\"}")
                .header("note", "Größe – 数量 🚚")
                .header("empty", "")
                .header("ce_tenant", "acme")
                .build();

        assertThat(KafkaHeaders.read(written(new Delivery(event, 42, 3, 0, 99), "orders")))
                .isEqualTo(new Delivery(event, 42, 3, 0, 0));
    }

    @Test
    void aReplayCarriesItsGenerationAndAnOrdinaryDeliveryCarriesNone() {
        Event event = Event.to("orders").type("t").build();
        Delivery replayed = new Delivery(event, 42, 1, 2, 0);

        assertThat(KafkaHeaders.read(written(replayed, "orders"))).isEqualTo(replayed);
        assertThat(KafkaHeaders.find(written(replayed, "orders").headers(), KafkaHeaders.REPLAY))
                .hasValue("2");
        assertThat(KafkaHeaders.find(
                        written(new Delivery(event, 42, 1, 0, 0), "orders").headers(), KafkaHeaders.REPLAY))
                .isEmpty();
    }

    @Test
    void theDestinationIsReadBackAlsoIfTheTopicHasAnotherName() {
        Event event = Event.to("shop:orders").type("t").build();

        ConsumerRecord<byte[], byte[]> record = written(new Delivery(event, 1, 1, 0, 1), "prod.orders");
        assertThat(KafkaHeaders.find(record.headers(), KafkaHeaders.DESTINATION))
                .isEqualTo(Optional.of("shop:orders"));
        assertThat(KafkaHeaders.read(record).event()).isEqualTo(event);
    }

    @Test
    void aDelayedEventArrivesWithoutItsDelay() {
        Event event = Event.to("orders")
                .type("t")
                .availableAt(Instant.parse("2026-01-01T00:00:00Z"))
                .build();

        assertThat(KafkaHeaders.read(written(new Delivery(event, 1, 1, 0, 1), "orders"))
                        .event()
                        .availableAt())
                .isNull();
    }

    @Test
    void aCloudEventOfAnotherSenderIsReadAsWell() {
        Headers headers = headers("ce_id", ID.toString(), "ce_type", "made.elsewhere", "ce_tenant", "acme");
        headers.add("ce_time", "2026-03-01T13:00:00+01:00".getBytes(UTF_8));

        Delivery read = KafkaHeaders.read(record("their-topic", null, null, headers));
        assertThat(read.event().id()).isEqualTo(ID);
        assertThat(read.event().destination()).isEqualTo("their-topic");
        assertThat(read.event().occurredAt()).isEqualTo(Instant.parse("2026-03-01T12:00:00Z"));
        assertThat(read.event().version()).isEqualTo(1);
        assertThat(read.event().payload().size()).isZero();
        assertThat(read.event().headers()).containsOnlyKeys("ce_tenant");
        assertThat(read.attempt()).isEqualTo(1);
    }

    @Test
    void ofTwoHeadersWithOneNameTheLastCounts() {
        Headers headers = headers("ce_id", UUID.randomUUID().toString(), "ce_type", "t", "ce_id", ID.toString());

        assertThat(KafkaHeaders.read(record("topic", null, null, headers))
                        .event()
                        .id())
                .isEqualTo(ID);
    }

    @Test
    void aRecordThatIsNoEventSaysWhereItIsAndWhatIsWrong() {
        assertUnreadable(headers("ce_type", "t"), "ce_id");
        assertUnreadable(headers("ce_id", ID.toString()), "ce_type");
        assertUnreadable(headers("ce_id", "17", "ce_type", "t"), "17");
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", "ce_time", "yesterday"), "yesterday");
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", "waybill-version", "one"), "one");
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "a type with spaces"), "a type with spaces");
    }

    /** Java takes each of them for the id of another event, which would then be the one that takes no effect. */
    @Test
    void anIdInAnyOtherFormThanTheUsualOneIsNone() {
        assertUnreadable(headers("ce_id", "1-2-3-4-5", "ce_type", "t"), "1-2-3-4-5");
        assertUnreadable(headers("ce_id", "f" + ID, "ce_type", "t"), "f" + ID);
        assertThat(KafkaHeaders.read(record(
                                "topic",
                                null,
                                null,
                                headers("ce_id", ID.toString().toUpperCase(Locale.ROOT), "ce_type", "t")))
                        .event()
                        .id())
                .isEqualTo(ID);
    }

    @Test
    void aNumberThatCannotBeIsRefused() {
        for (String header : List.of("waybill-attempt", "waybill-replay", "waybill-sequence", "waybill-version")) {
            assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", header, "-1"), "-1");
        }
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", "waybill-attempt", "0"), "waybill-attempt");
    }

    /** Anybody may write to a topic, and the message is logged. */
    @Test
    void noHeaderForgesALineOfTheLog() {
        String forged = "x\n2026-01-01 ERROR forged\u001b[31m\u2028";
        String shown = "x\\n2026-01-01 ERROR forged\\u001b[31m\\u2028";

        assertUnreadable(headers("ce_id", forged, "ce_type", "t"), shown);
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", forged), shown);
        for (String header : List.of("ce_time", "waybill-version", "waybill-attempt", "waybill-sequence")) {
            assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", header, forged), shown);
        }
        assertUnreadable(headers("ce_id", ID.toString(), "ce_type", "t", forged, "value"), shown);
    }

    private static void assertUnreadable(Headers headers, String part) {
        assertThatThrownBy(() -> KafkaHeaders.read(record("topic", null, null, headers)))
                .isInstanceOfSatisfying(UnreadableRecordException.class, e -> {
                    assertThat(e).hasMessageContaining("topic-2@17").hasMessageContaining(part);
                    assertThat(e.topic()).isEqualTo("topic");
                    assertThat(e.partition()).isEqualTo(2);
                    assertThat(e.offset()).isEqualTo(17);
                });
    }

    private static ConsumerRecord<byte[], byte[]> written(Delivery delivery, String topic) {
        ProducerRecord<byte @Nullable [], byte[]> record = new RecordWriter("urn:test").write(delivery, topic, null);
        return record(topic, record.key(), record.value(), record.headers());
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return new ConsumerRecord<>(
                topic,
                2,
                17,
                1_700_000_000_000L,
                TimestampType.CREATE_TIME,
                0,
                0,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static Headers headers(String... namesAndValues) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
        }
        return headers;
    }
}
