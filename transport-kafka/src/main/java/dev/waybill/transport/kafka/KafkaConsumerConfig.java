package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link KafkaInboxConsumer} reads its topics. Immutable; what would lose events or let them overtake is refused.
 *
 * @param bootstrapServers host:port of some brokers, separated by commas
 * @param topics           what is read
 * @param groupId          the consumer group; {@code null}: the consumer's name. All instances of a consumer share it, and
 *                         no other consumer does
 * @param threads          how many events are handled at a time, at most
 * @param maxInFlight      how many records are held at a time, at most: read, and not yet taken. Lower it for large payloads
 * @param patience         how long a handler under way is waited for before its partition is given away, or at the end
 * @param properties       further properties of Kafka's consumer, for instance security
 */
public record KafkaConsumerConfig(
        String bootstrapServers,
        Set<String> topics,
        @Nullable String groupId,
        int threads,
        int maxInFlight,
        Duration patience,
        Map<String, String> properties) {
    private static final int MOST_THREADS = 1_000;
    private static final int MOST_IN_FLIGHT = 1_000_000;
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(10);

    public KafkaConsumerConfig {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("bootstrapServers is empty; name host:port of at least one broker.");
        }
        topics = Set.copyOf(topics);
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("topics is empty; name at least one topic.");
        }
        topics.forEach(KafkaConsumerConfig::requireTopic);
        if (groupId != null && groupId.isBlank()) {
            throw new IllegalArgumentException("groupId is blank; leave it out, then it is the consumer's name.");
        }
        requireRange("threads", threads, MOST_THREADS);
        requireRange("maxInFlight", maxInFlight, MOST_IN_FLIGHT);
        if (patience.isNegative() || patience.compareTo(LONGEST_PATIENCE) > 0) {
            throw new IllegalArgumentException(
                    "patience is " + patience + "; it must be between 0 and " + LONGEST_PATIENCE + ".");
        }
        properties = Map.copyOf(properties);
        ConsumerSettings.check(bootstrapServers, maxInFlight, patience, properties);
    }

    /** The defaults for topics of a cluster. */
    public static KafkaConsumerConfig of(String bootstrapServers, String... topics) {
        return new KafkaConsumerConfig(
                bootstrapServers, Set.copyOf(List.of(topics)), null, 8, 1_000, Duration.ofSeconds(10), Map.of());
    }

    public KafkaConsumerConfig withTopics(Set<String> names) {
        return new KafkaConsumerConfig(bootstrapServers, names, groupId, threads, maxInFlight, patience, properties);
    }

    public KafkaConsumerConfig withGroupId(String id) {
        return new KafkaConsumerConfig(bootstrapServers, topics, id, threads, maxInFlight, patience, properties);
    }

    public KafkaConsumerConfig withThreads(int number) {
        return new KafkaConsumerConfig(bootstrapServers, topics, groupId, number, maxInFlight, patience, properties);
    }

    public KafkaConsumerConfig withMaxInFlight(int records) {
        return new KafkaConsumerConfig(bootstrapServers, topics, groupId, threads, records, patience, properties);
    }

    public KafkaConsumerConfig withPatience(Duration time) {
        return new KafkaConsumerConfig(bootstrapServers, topics, groupId, threads, maxInFlight, time, properties);
    }

    /** Sets one more property of Kafka's consumer. */
    public KafkaConsumerConfig withProperty(String name, String value) {
        Map<String, String> more = new TreeMap<>(properties);
        more.put(name, value);
        return withProperties(more);
    }

    /** Sets the further properties of Kafka's consumer, in place of those set before. */
    public KafkaConsumerConfig withProperties(Map<String, String> further) {
        return new KafkaConsumerConfig(bootstrapServers, topics, groupId, threads, maxInFlight, patience, further);
    }

    /** Shows the names of properties only: their values hold passwords. */
    @Override
    public String toString() {
        return "KafkaConsumerConfig[bootstrapServers=" + bootstrapServers + ", topics=" + new TreeSet<>(topics)
                + ", groupId=" + groupId + ", threads=" + threads + ", maxInFlight=" + maxInFlight + ", patience="
                + patience + ", properties=" + new TreeSet<>(properties.keySet()) + "]";
    }

    private static void requireTopic(String topic) {
        if (!KafkaTransportConfig.isTopic(topic)) {
            throw new IllegalArgumentException(
                    "Kafka does not allow a topic \"" + OneLine.of(topic)
                            + "\"; use 1 to 249 of A-Z a-z 0-9 . _ -. It is the topic's name that is wanted, not the destination's.");
        }
    }

    private static void requireRange(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be between 1 and " + most + ".");
        }
    }
}
