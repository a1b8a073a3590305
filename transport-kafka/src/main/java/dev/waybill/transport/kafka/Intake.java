package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.event.EventRules;
import dev.waybill.event.InvalidEventException;
import dev.waybill.transport.Delivery;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Turns records into deliveries, whatever is in them: one that is no event gets a delivery that stands in for it, so that it
 * can become a dead letter.
 */
final class Intake {
    /** The type of a delivery that stands in for a record which is no event. */
    static final String UNREADABLE = "waybill.unreadable";

    static final String TOPIC = "kafka-topic";
    static final String PARTITION = "kafka-partition";
    static final String OFFSET = "kafka-offset";
    static final String KEY = "kafka-key";

    /** What the siding and the consumer write themselves. */
    private static final Set<String> RESERVED = Set.of(
            TOPIC, PARTITION, OFFSET, KEY, EventHeaders.SOURCE, EventHeaders.ORIGIN, EventHeaders.ORIGIN_SEQUENCE);
    /** Enough to find out what the record was meant to be, and less than an outbox allows. */
    private static final int MOST_HEADER_CHARACTERS = 12_000;

    /** Far more than an outbox allows, and less than the smallest column holds when each of them is escaped. */
    private static final int MOST_HEADER_BYTES = 128 * 1024;

    private static final int LONGEST_NAME = 200;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private Intake() {}

    static Arrival read(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        UnreadableRecordException problem;
        try {
            requireStorable(record);
            return new Arrival(partition, record.offset(), withSource(record, KafkaHeaders.read(record)), null);
        } catch (UnreadableRecordException e) {
            problem = e;
        } catch (RuntimeException e) {
            // Whatever it is, the next read of the record would fail in the same way: it must not hold up the others.
            problem = new UnreadableRecordException(
                    record.topic(), record.partition(), record.offset(), String.valueOf(e.getMessage()), e);
        }
        return new Arrival(partition, record.offset(), standIn(record), problem);
    }

    /** What no siding could store would be tried for ever, and its key would wait for ever. */
    private static void requireStorable(ConsumerRecord<byte[], byte[]> record) {
        long bytes = 0;
        for (Header header : record.headers()) {
            bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        if (bytes > MOST_HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "its headers have " + bytes + " bytes; at most " + MOST_HEADER_BYTES + " are taken");
        }
    }

    /** Tells the consumer which service published the event. */
    private static Delivery withSource(ConsumerRecord<byte[], byte[]> record, Delivery delivery) {
        Optional<String> source = KafkaHeaders.find(record.headers(), KafkaHeaders.SOURCE);
        if (source.isEmpty()) {
            return delivery;
        }
        Event event = delivery.event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        headers.put(EventHeaders.SOURCE, source.get());
        Event complete = new Event(
                event.id(),
                event.destination(),
                event.key(),
                event.type(),
                event.version(),
                event.payload(),
                event.contentType(),
                headers,
                event.occurredAt(),
                null);
        return new Delivery(complete, delivery.sequence(), delivery.attempt(), delivery.replay(), delivery.sendId());
    }

    /**
     * The record's value with what can be told of the rest. It has no key: nothing is to wait behind it. Its id is the same
     * whenever the record is read, and another one if the topic was created anew.
     */
    private static Delivery standIn(ConsumerRecord<byte[], byte[]> record) {
        String place = record.topic() + "/" + record.partition() + "/" + record.offset() + "/" + record.timestamp();
        byte[] value = record.value();
        Event.Builder event = Event.to(destination(record.topic()))
                .id(UUID.nameUUIDFromBytes(place.getBytes(UTF_8)))
                .type(UNREADABLE)
                .payload(value == null ? new byte[0] : value)
                .occurredAt(time(record.timestamp()))
                .header(TOPIC, record.topic())
                .header(PARTITION, Integer.toString(record.partition()))
                .header(OFFSET, Long.toString(record.offset()));
        int room = add(event, KEY, record.key(), MOST_HEADER_CHARACTERS);
        Header source = record.headers().lastHeader(KafkaHeaders.SOURCE);
        if (source != null) {
            room = add(event, EventHeaders.SOURCE, source.value(), room);
        }
        for (Header header : record.headers()) {
            if (!RESERVED.contains(header.key())) {
                room = add(event, header.key(), header.value(), room);
            }
        }
        return new Delivery(event.build(), 0, 1, 0, 0);
    }

    /** Adds a header if it is text and fits; returns the room that is left. */
    private static int add(
            Event.Builder event, String name, byte @org.jspecify.annotations.Nullable [] value, int room) {
        if (value == null || name.length() + value.length > room) {
            return room;
        }
        try {
            event.header(name, UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
            return room - name.length() - value.length;
        } catch (CharacterCodingException | InvalidEventException e) {
            return room;
        }
    }

    private static String destination(String topic) {
        try {
            EventRules.name("destination", topic);
            return topic;
        } catch (InvalidEventException e) {
            String name = "_" + topic;
            return name.substring(0, Math.min(LONGEST_NAME, name.length()));
        }
    }

    private static Instant time(long timestamp) {
        Instant time = Instant.ofEpochMilli(Math.max(0, timestamp));
        return time.isAfter(LATEST) ? LATEST : time;
    }
}
