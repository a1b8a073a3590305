package dev.waybill.transport.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.Payload;
import dev.waybill.transport.Delivery;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * An event as a Kafka record, in both directions: the CloudEvents binding for Kafka in binary mode, and what Waybill adds.
 *
 * <p>All values are UTF-8 text. The event's own headers keep their names, so they must not bear one of ours: the transport
 * rejects such an event rather than deliver it with an id that is not its own.
 */
public final class KafkaHeaders {
    public static final String SPEC_VERSION = "ce_specversion";
    public static final String ID = "ce_id";
    public static final String TYPE = "ce_type";
    public static final String SOURCE = "ce_source";
    public static final String TIME = "ce_time";

    /** The event's key; absent if it has none. */
    public static final String SUBJECT = "ce_subject";

    public static final String CONTENT_TYPE = "content-type";

    /** The entry's sequence in its outbox. */
    public static final String SEQUENCE = "waybill-sequence";

    /** How often it was tried to deliver, this time included; absent in the first try. */
    public static final String ATTEMPT = "waybill-attempt";

    /** The version of the event's type; absent if that is 1. */
    public static final String VERSION = "waybill-version";

    /** The generation of the replay that the record belongs to; absent in an ordinary delivery. */
    public static final String REPLAY = "waybill-replay";

    /** The event's destination; absent if it is the topic's name. */
    public static final String DESTINATION = "waybill-destination";

    /** The whole prefix is ours, so that later versions can add headers. */
    private static final String PREFIX = "waybill-";

    private static final Set<String> OURS =
            Set.of(SPEC_VERSION, ID, TYPE, SOURCE, TIME, SUBJECT, CONTENT_TYPE, "ce_datacontenttype");
    private static final int ID_LENGTH = 36;

    private KafkaHeaders() {}

    /** The event's own headers that bear a name of ours, which differ from it in upper and lower case at most. */
    static Set<String> collisions(Event event) {
        if (event.headers().isEmpty()) {
            return Set.of();
        }
        Set<String> found = new TreeSet<>();
        for (String name : event.headers().keySet()) {
            if (isOurs(name)) {
                found.add(name);
            }
        }
        return found;
    }

    /**
     * The delivery that a record carries: an event equal to the one that was published, except that it is no longer delayed.
     * The send id, which means something to the relay only, is 0.
     *
     * <p>Records of other senders of CloudEvents are read as well, if their id is a UUID.
     *
     * @throws UnreadableRecordException if the record is no event
     */
    public static Delivery read(ConsumerRecord<byte[], byte[]> record) {
        try {
            Headers headers = record.headers();
            byte[] key = record.key();
            byte[] value = record.value();
            Event event = new Event(
                    id(required(headers, ID)),
                    find(headers, DESTINATION).orElse(record.topic()),
                    key == null || key.length == 0 ? null : new String(key, UTF_8),
                    required(headers, TYPE),
                    number(headers, VERSION, 1, 1),
                    value == null ? Payload.empty() : Payload.of(value),
                    find(headers, CONTENT_TYPE).orElse("application/octet-stream"),
                    others(headers),
                    find(headers, TIME)
                            .map(KafkaHeaders::time)
                            .orElseGet(() -> Instant.ofEpochMilli(record.timestamp())),
                    null);
            return new Delivery(
                    event, sequence(headers), number(headers, ATTEMPT, 1, 1), number(headers, REPLAY, 0, 0), 0);
        } catch (IllegalArgumentException | DateTimeException | InvalidEventException e) {
            throw new UnreadableRecordException(
                    record.topic(), record.partition(), record.offset(), String.valueOf(e.getMessage()), e);
        }
    }

    /** The value of a header; of several with one name the last, as everywhere in Kafka. */
    public static Optional<String> find(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), UTF_8));
    }

    private static Map<String, String> others(Headers headers) {
        Map<String, String> others = new LinkedHashMap<>();
        for (Header header : headers) {
            if (!isOurs(header.key()) && header.value() != null) {
                others.put(header.key(), new String(header.value(), UTF_8));
            }
        }
        return others;
    }

    private static boolean isOurs(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        return OURS.contains(lowerCase) || lowerCase.startsWith(PREFIX);
    }

    private static String required(Headers headers, String name) {
        return find(headers, name).orElseThrow(() -> new IllegalArgumentException("it has no header " + name));
    }

    /** Stricter than {@link UUID#fromString}, which takes some texts for the id of another event. */
    private static UUID id(String text) {
        if (text.length() != ID_LENGTH || !UUID.fromString(text).toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException("its " + ID + " " + text + " is not a UUID in its usual form");
        }
        return UUID.fromString(text);
    }

    private static long sequence(Headers headers) {
        return atLeast(SEQUENCE, 0, find(headers, SEQUENCE).map(Long::parseLong).orElse(0L));
    }

    private static int number(Headers headers, String name, int otherwise, int least) {
        return (int)
                atLeast(name, least, find(headers, name).map(Integer::parseInt).orElse(otherwise));
    }

    private static long atLeast(String name, long least, long value) {
        if (value < least) {
            throw new IllegalArgumentException("its " + name + " is " + value + ", less than " + least);
        }
        return value;
    }

    private static Instant time(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }
}
