package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What is written is read back in {@link KafkaHeadersTest}; this is about what differs from record to record. */
class RecordWriterTest {
    private final RecordWriter writer = new RecordWriter("urn:test");
    private long sequence;

    @Test
    void timesAreWrittenAsInstantsWriteThem() {
        RandomGenerator dice = new SplittableRandom(1);
        int[] units = {1, 1_000, 1_000_000, 1_000_000_000};
        long second = 0;
        for (int i = 0; i < 20_000; i++) {
            int unit = units[i % units.length];
            // Half of them in the second of the one before, whose text is remembered.
            second = dice.nextBoolean() ? second : dice.nextLong(-70_000_000_000L, 260_000_000_000L);
            assertTime(Instant.ofEpochSecond(second, (long) dice.nextInt(1_000_000_000) / unit * unit));
        }
        List.of(
                        "0000-01-01T00:00:00Z",
                        "-0001-12-31T23:59:59.999999999Z",
                        "9999-12-31T23:59:59.1Z",
                        "+10000-01-01T00:00:00Z",
                        "+10000-01-01T00:00:00.5Z",
                        "9999-12-31T23:59:59.2Z")
                .forEach(text -> assertTime(Instant.parse(text)));
    }

    private void assertTime(Instant time) {
        assertThat(new String(writer.text(time), UTF_8)).isEqualTo(time.toString());
    }

    @Test
    void idsAreWrittenAsUuidsWriteThem() {
        RandomGenerator dice = new SplittableRandom(2);
        for (int i = 0; i < 5_000; i++) {
            assertId(new UUID(dice.nextLong(), dice.nextLong()));
        }
        assertId(new UUID(0, 0));
        assertId(new UUID(-1, -1));
    }

    private static void assertId(UUID id) {
        assertThat(new String(RecordWriter.text(id), UTF_8)).isEqualTo(id.toString());
    }

    @Test
    void whatARecordHasInCommonWithTheOneBeforeIsItsOwnAllTheSame() {
        assertThat(headers("orders", "OrderPlaced", "application/json"))
                .containsEntry("ce_type", "OrderPlaced")
                .containsEntry("content-type", "application/json")
                .containsEntry("waybill-destination", "orders");
        assertThat(headers("orders", "OrderPaid", "application/json"))
                .containsEntry("ce_type", "OrderPaid")
                .containsEntry("content-type", "application/json")
                .containsEntry("waybill-destination", "orders");
        assertThat(headers("payments", "OrderPaid", "text/plain"))
                .containsEntry("ce_type", "OrderPaid")
                .containsEntry("content-type", "text/plain")
                .containsEntry("waybill-destination", "payments");
        assertThat(headers("orders", "OrderPlaced", "application/json"))
                .containsEntry("ce_type", "OrderPlaced")
                .containsEntry("content-type", "application/json")
                .containsEntry("waybill-destination", "orders");
    }

    @Test
    void whatGoesWithoutSayingHasNoHeader() {
        assertThat(headers("topic", "OrderPlaced", "application/octet-stream"))
                .containsOnlyKeys(
                        "ce_specversion",
                        "ce_id",
                        "ce_type",
                        "ce_source",
                        "ce_time",
                        "ce_subject",
                        "content-type",
                        "waybill-sequence");
    }

    private Map<String, String> headers(String destination, String type, String contentType) {
        Event event = Event.to(destination)
                .key("k")
                .type(type)
                .contentType(contentType)
                .build();
        Map<String, String> headers = new LinkedHashMap<>();
        writer.write(new Delivery(event, ++sequence, 1, 0, 1), "topic", null)
                .headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }
}
