package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of Kafka's consumer: what Waybill needs, what suits it, and what it refuses. */
final class ConsumerSettings {
    private static final int MOST_OF_A_POLL = 500;

    /** What nobody may set, and why. */
    private static final Map<String, String> REFUSED = Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "it has a setting of its own",
            ConsumerConfig.GROUP_ID_CONFIG, "use withGroupId",
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "keys are the UTF-8 bytes of the event's key",
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                    "the payload is taken as it is, and decoded by the consumer's event types");

    private ConsumerSettings() {}

    /** Refuses what would break a promise, and what Kafka itself does not take. */
    static void check(String bootstrapServers, int maxInFlight, Duration patience, Map<String, String> own) {
        own.forEach((name, value) -> {
            String reason = REFUSED.get(name);
            if (reason != null) {
                throw refused(name, value, reason);
            }
        });
        requireValue(
                own,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "false",
                "events that were read and not yet taken would be lost with this process");
        requireValue(
                own,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest|none",
                "events would be passed over in silence when the group has no offsets, or has lost them; to begin at the"
                        + " end, set the group's offsets there before its first start");
        try {
            ConsumerConfig config = new ConsumerConfig(consumer(bootstrapServers, "check", maxInFlight, own));
            requireFitting(config, maxInFlight, patience);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "Kafka's consumer does not take these properties: " + OneLine.of(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private static void requireFitting(ConsumerConfig config, int maxInFlight, Duration patience) {
        int poll = config.getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
        if (poll > maxInFlight) {
            throw new IllegalArgumentException("max.poll.records " + poll + " is more than maxInFlight " + maxInFlight
                    + ": no poll would fit; lower it, or leave it out.");
        }
        int interval = config.getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
        if (patience.multipliedBy(2).toMillis() > interval) {
            throw new IllegalArgumentException(
                    "max.poll.interval.ms " + interval + " is less than twice the patience of " + patience
                            + ": the group would expel who waits that long for a handler.");
        }
    }

    /** The properties of the consumer. */
    static Map<String, Object> consumer(
            String bootstrapServers, String groupId, int maxInFlight, Map<String, String> own) {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // A quarter, so that reading goes on while the rest is worked off.
        all.put(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                String.valueOf(Math.max(1, Math.min(MOST_OF_A_POLL, maxInFlight / 4))));
        // What an aborted transaction wrote did not happen.
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // A topic whose name is misspelt must not come into being.
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        // A connection may be dead without a word, and only this notices. A fetch over a slow network must fit.
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        if (!"consumer".equalsIgnoreCase(own.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))) {
            // Only the partitions that move are taken away; in the newer protocol the broker sees to that.
            all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        ProducerSettings.reconnectQuickly(all);
        all.putAll(own);
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return all;
    }

    static Map<String, Object> consumer(KafkaConsumerConfig config, String groupId) {
        return consumer(config.bootstrapServers(), groupId, config.maxInFlight(), config.properties());
    }

    /** How many records a poll returns at most. */
    static int pollSize(KafkaConsumerConfig config) {
        return new ConsumerConfig(consumer(config, "check")).getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    }

    private static void requireValue(Map<String, String> own, String name, String allowed, String reason) {
        String value = own.get(name);
        if (value != null && !value.strip().toLowerCase(Locale.ROOT).matches(allowed)) {
            throw refused(name, value, reason);
        }
    }

    private static IllegalArgumentException refused(String name, String value, String reason) {
        return new IllegalArgumentException("Property " + name + "=" + value + " is refused: " + reason + ".");
    }
}
