package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.event.EventId;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that are no events: they hold nothing up, and nothing of them is lost. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KafkaUnreadableTest {
    private static final byte[] NO_TEXT = {(byte) 0xc3, (byte) 0x28, (byte) 0xff};

    @TempDir
    Path folder;

    @Test
    void recordsThatAreNoEventsBecomeDeadLettersOnce() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                InboxRig rig = new InboxRig(broker, "orders", 1)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("mailer");
            List<Event> events = new ArrayList<>();
            List<ProducerRecord<byte @Nullable [], byte @Nullable []>> strange = strange();
            for (ProducerRecord<byte @Nullable [], byte @Nullable []> record : strange) {
                events.add(rig.publish("o-1"));
                rig.send(record);
            }
            events.add(rig.publish("o-1"));
            int all = events.size() + strange.size();
            KafkaInboxConsumer first = rig.start(consumer);
            soon().until(() -> rig.tookEffect(events) && rig.committed("mailer") == all);
            first.close();
            rig.assertOnceAndInOrder(events);
            List<DeadLetter> letters = letters(rig);
            assertThat(letters).hasSameSizeAs(strange).allSatisfy(letter -> {
                assertThat(letter.parksKey()).isFalse();
                assertThat(letter.consumer()).contains("mailer");
                assertThat(letter.entry().event().type()).isEqualTo("waybill.unreadable");
                assertThat(letter.entry().lastError()).contains("orders-0@", "is not an event");
            });

            // They come again, and the check at the start knows them.
            rig.rewind("mailer", 1);
            rig.start(consumer);
            soon().until(() -> rig.committed("mailer") == all);
            assertThat(letters(rig)).isEqualTo(letters);
            rig.assertOnceAndInOrder(events);

            // Tried again they are dead letters again: nobody can read them.
            rig.retry(consumer);
            rig.store.deadLetters().redrive(letters.get(0).entry().sequence(), new Signature("me", "try"));
            soon().until(() -> letters(rig).stream().anyMatch(letter -> letter.replays() == 1));
        }
    }

    private static List<ProducerRecord<byte @Nullable [], byte @Nullable []>> strange() {
        List<ProducerRecord<byte @Nullable [], byte @Nullable []>> strange = new ArrayList<>();
        strange.add(record(null, null));
        strange.add(record("o-1".getBytes(UTF_8), null));
        strange.add(record("o-1".getBytes(UTF_8), new byte[0]));
        strange.add(record(NO_TEXT, NO_TEXT));
        strange.add(with(event(), KafkaHeaders.ID, "no uuid"));
        strange.add(with(event(), KafkaHeaders.TIME, "yesterday"));
        strange.add(with(event(), KafkaHeaders.VERSION, "99999999999"));
        strange.add(with(event(), "note", "a\0b"));
        strange.add(with(event(), "note", "a\nb"));
        strange.add(with(event(), "not a name!", "x"));
        strange.add(with(event(), "huge", "x".repeat(100_000)));
        strange.add(with(event(), KafkaHeaders.SOURCE, "a\0b"));
        strange.add(record("k".repeat(10_000).getBytes(UTF_8), new byte[] {1}));
        ProducerRecord<byte @Nullable [], byte @Nullable []> many = record(null, new byte[] {1});
        for (int i = 0; i < 250; i++) {
            many.headers().add("h-" + i, "x".repeat(200).getBytes(UTF_8));
        }
        strange.add(many);
        ProducerRecord<byte @Nullable [], byte @Nullable []> heavy = event();
        for (int i = 0; i < 100; i++) {
            heavy.headers().add("h-" + i, "x".repeat(2_000).getBytes(UTF_8));
        }
        strange.add(heavy);
        return strange;
    }

    @Test
    void aTombstoneAndAKeyThatIsNoTextAreEventsIfTheirHeadersSaySo() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                InboxRig rig = new InboxRig(broker, "orders", 1)) {
            rig.start(rig.consumer("mailer"));
            ProducerRecord<byte @Nullable [], byte @Nullable []> odd = record(NO_TEXT, null);
            event().headers().forEach(odd.headers()::add);
            for (int i = 0; i < 250; i++) {
                odd.headers().add("h-" + i, "x".getBytes(UTF_8));
            }
            rig.send(odd);

            soon().until(() -> rig.effects().size() == 1);
            assertThat(rig.effects().get(0).payload().size()).isZero();
            assertThat(rig.effects().get(0).headers()).hasSize(250);
        }
    }

    @Test
    void aStandInKeepsWhatCanBeToldOfTheRecord() {
        Headers headers = new RecordHeaders();
        headers.add("note", "kept".getBytes(UTF_8));
        headers.add("no-text", NO_TEXT);
        headers.add("no name", "x".getBytes(UTF_8));
        headers.add("control", "a\0b".getBytes(UTF_8));
        headers.add("huge", "x".repeat(50_000).getBytes(UTF_8));
        headers.add("nothing", null);
        headers.add("kafka-offset", "999".getBytes(UTF_8));
        headers.add(EventHeaders.ORIGIN, "forged".getBytes(UTF_8));
        headers.add(EventHeaders.SOURCE, "forged".getBytes(UTF_8));
        headers.add(KafkaHeaders.SOURCE, "/shop".getBytes(UTF_8));
        headers.add(EventHeaders.SAGA_ID, "s-1".getBytes(UTF_8));

        Arrival arrival = Intake.read(read("orders", 7, 1_000, headers));

        assertThat(arrival.unreadable()).isNotNull();
        Event event = arrival.delivery().event();
        assertThat(event.key()).isNull();
        assertThat(event.destination()).isEqualTo("orders");
        assertThat(event.payload().utf8()).isEqualTo("value");
        assertThat(event.occurredAt().toEpochMilli()).isEqualTo(1_000);
        assertThat(event.headers())
                .containsEntry("note", "kept")
                .containsEntry("kafka-topic", "orders")
                .containsEntry("kafka-partition", "3")
                .containsEntry("kafka-offset", "7")
                .containsEntry("kafka-key", "o-1")
                .containsEntry(EventHeaders.SOURCE, "/shop")
                .containsEntry(EventHeaders.SAGA_ID, "s-1")
                .doesNotContainKeys("no-text", "no name", "control", "huge", "nothing", EventHeaders.ORIGIN);
    }

    @Test
    void aStandInHasTheSameIdWheneverItsRecordIsRead() {
        Headers none = new RecordHeaders();
        Event event = Intake.read(read("orders", 7, 1_000, none)).delivery().event();

        assertThat(Intake.read(read("orders", 7, 1_000, none)).delivery().event())
                .isEqualTo(event);
        assertThat(List.of(
                        Intake.read(read("orders", 8, 1_000, none)),
                        Intake.read(read("order", 7, 1_000, none)),
                        // The topic was created anew.
                        Intake.read(read("orders", 7, 2_000, none))))
                .allSatisfy(other -> assertThat(other.delivery().event().id()).isNotEqualTo(event.id()));
    }

    @Test
    void timesAndTopicsThatNoEventCanHaveAreReplaced() {
        Headers none = new RecordHeaders();
        for (long timestamp : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(Intake.read(read("orders", 7, timestamp, none)).unreadable())
                    .isNotNull();
        }
        assertThat(Intake.read(read(".hidden", 7, 0, none)).delivery().event().destination())
                .isEqualTo("_.hidden");
        assertThat(Intake.read(read("t".repeat(249), 7, 0, none))
                        .delivery()
                        .event()
                        .destination())
                .hasSize(200);
    }

    private static ConsumerRecord<byte[], byte[]> read(String topic, long offset, long timestamp, Headers headers) {
        return new ConsumerRecord<>(
                topic,
                3,
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                3,
                5,
                "o-1".getBytes(UTF_8),
                "value".getBytes(UTF_8),
                headers,
                java.util.Optional.empty());
    }

    private static ProducerRecord<byte @Nullable [], byte @Nullable []> event() {
        ProducerRecord<byte @Nullable [], byte @Nullable []> record = record("o-1".getBytes(UTF_8), new byte[] {1});
        with(record, KafkaHeaders.ID, EventId.next().toString());
        return with(record, KafkaHeaders.TYPE, "OrderPlaced");
    }

    private static ProducerRecord<byte @Nullable [], byte @Nullable []> with(
            ProducerRecord<byte @Nullable [], byte @Nullable []> record, String name, String value) {
        record.headers().add(name, value.getBytes(UTF_8));
        return record;
    }

    private static ProducerRecord<byte @Nullable [], byte @Nullable []> record(
            byte @Nullable [] key, byte @Nullable [] value) {
        return new ProducerRecord<>("orders", 0, key, value);
    }

    private static List<DeadLetter> letters(InboxRig rig) {
        return rig.store.deadLetters().list(DeadLetterFilter.all(), 0, 100);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(20));
    }
}
