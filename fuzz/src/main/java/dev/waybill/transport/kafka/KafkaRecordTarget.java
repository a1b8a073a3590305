package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.transport.Delivery;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Records of a topic that anybody may write to: an event, or a stand-in that says why it is none. */
public final class KafkaRecordTarget implements FuzzTarget {
    private static final String TOPIC = "orders";

    @Override
    public void check(Input input) {
        ConsumerRecord<byte[], byte[]> record = read(input);
        Arrival arrival = Intake.read(record);
        Expect.equal(Intake.read(record).delivery(), arrival.delivery(), "The same record, read again");
        UnreadableRecordException problem = arrival.unreadable();
        if (problem == null) {
            checkEvent(record, arrival.delivery());
        } else {
            Expect.refusal(problem);
            checkStandIn(record, arrival.delivery());
        }
    }

    @SuppressWarnings("NullAway") // a record may be without a key and without a value
    private static ConsumerRecord<byte[], byte[]> read(Input input) {
        String topic = input.text();
        int partition = Math.max(0, input.integer());
        long offset = Math.max(0, input.number());
        long timestamp = Math.max(ConsumerRecord.NO_TIMESTAMP, input.number());
        byte[] key = input.bytesOrNull();
        byte[] value = input.bytesOrNull();
        Headers headers = new RecordHeaders();
        for (int left = input.count(); left > 0; left--) {
            headers.add(input.text(), input.bytesOrNull());
        }
        return record(
                KafkaTransportConfig.isTopic(topic) ? topic : TOPIC, partition, offset, timestamp, key, value, headers);
    }

    @SuppressWarnings("NullAway") // a record may be without a key and without a value
    private static ConsumerRecord<byte[], byte[]> record(
            String topic,
            int partition,
            long offset,
            long timestamp,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers) {
        return new ConsumerRecord<>(
                topic,
                partition,
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                ConsumerRecord.NULL_SIZE,
                ConsumerRecord.NULL_SIZE,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static void checkEvent(ConsumerRecord<byte[], byte[]> record, Delivery delivery) {
        Event event = delivery.event();
        String id = KafkaHeaders.find(record.headers(), KafkaHeaders.ID).orElseThrow();
        // Two ids that become one would be two events that take effect as one.
        Expect.that(event.id().toString().equalsIgnoreCase(id), "The id " + id + " became " + event.id());
        Expect.that(delivery.attempt() >= 1, "An attempt " + delivery.attempt());
        Expect.that(delivery.replay() >= 0, "A replay " + delivery.replay());
        Expect.that(delivery.sequence() >= 0, "A sequence " + delivery.sequence());
        Expect.that(event.availableAt() == null, "What has arrived is not delayed");
        Expect.that(KafkaHeaders.collisions(event).isEmpty(), "Headers of ours passed for the event's");
        Delivery again = KafkaHeaders.read(written(new RecordWriter("urn:fuzz").write(delivery, record.topic(), null)));
        Expect.equal(again, delivery, "What was sent on and read");
    }

    private static ConsumerRecord<byte[], byte[]> written(ProducerRecord<byte @Nullable [], byte[]> sent) {
        return record(sent.topic(), 0, 0, 0, sent.key(), sent.value(), sent.headers());
    }

    private static void checkStandIn(ConsumerRecord<byte[], byte[]> record, Delivery standIn) {
        Expect.equal(standIn.event().type(), Intake.UNREADABLE, "The type of a stand-in");
        Expect.that(standIn.event().key() == null, "Nothing is to wait behind a stand-in");
        Payload value = record.value() == null ? Payload.empty() : Payload.of(record.value());
        Expect.equal(standIn.event().payload(), value, "The payload of a stand-in");
        int size = standIn.event().headers().entrySet().stream()
                .mapToInt(header -> header.getKey().length() + header.getValue().getBytes(UTF_8).length)
                .sum();
        Expect.that(size <= 16 * 1024, "No outbox takes headers of " + size + " bytes");
    }
}
