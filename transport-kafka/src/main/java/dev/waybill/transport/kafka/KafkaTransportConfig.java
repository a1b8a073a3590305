package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link KafkaTransport} reaches its cluster. Immutable; what would break Waybill's promises is refused.
 *
 * @param bootstrapServers host:port of some brokers, separated by commas
 * @param source           the CloudEvents source of all records: a URI reference that names the service
 * @param topics           the topic of a destination; by default the destination's own name
 * @param topicCreation    how missing topics are created; {@code null}: they are not, their events wait
 * @param deliveryTimeout  after which a record that Kafka has not acknowledged has failed. Keep it below half of the relay's
 *                         own delivery time-out (30 s by default), so that the answer comes first
 * @param properties       further properties of Kafka's producer, for instance security
 */
public record KafkaTransportConfig(
        String bootstrapServers,
        String source,
        UnaryOperator<String> topics,
        @Nullable TopicCreation topicCreation,
        Duration deliveryTimeout,
        Map<String, String> properties) {
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);

    public KafkaTransportConfig {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("bootstrapServers is empty; name host:port of at least one broker.");
        }
        requireUri(source);
        if (deliveryTimeout.compareTo(SHORTEST_TIMEOUT) < 0 || deliveryTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("deliveryTimeout is " + deliveryTimeout + "; it must be between "
                    + SHORTEST_TIMEOUT + " and " + LONGEST_TIMEOUT + ".");
        }
        properties = Map.copyOf(properties);
        ProducerSettings.check(bootstrapServers, deliveryTimeout, properties);
    }

    /** The defaults for a cluster. */
    public static KafkaTransportConfig of(String bootstrapServers) {
        return new KafkaTransportConfig(
                bootstrapServers, "urn:waybill", UnaryOperator.identity(), null, Duration.ofSeconds(10), Map.of());
    }

    public KafkaTransportConfig withSource(String uri) {
        return new KafkaTransportConfig(bootstrapServers, uri, topics, topicCreation, deliveryTimeout, properties);
    }

    /** Names topics by a rule, which must always give the same topic for a destination. */
    public KafkaTransportConfig withTopics(UnaryOperator<String> rule) {
        return new KafkaTransportConfig(bootstrapServers, source, rule, topicCreation, deliveryTimeout, properties);
    }

    /** Names the topics of some destinations; all others keep their own name. */
    public KafkaTransportConfig withTopics(Map<String, String> byDestination) {
        Map<String, String> copy = Map.copyOf(byDestination);
        return withTopics(destination -> copy.getOrDefault(destination, destination));
    }

    /** Creates missing topics. */
    public KafkaTransportConfig withTopicCreation(int partitions, int replicationFactor) {
        TopicCreation creation =
                new TopicCreation(partitions, (short) Math.max(0, Math.min(replicationFactor, Short.MAX_VALUE)));
        return new KafkaTransportConfig(bootstrapServers, source, topics, creation, deliveryTimeout, properties);
    }

    public KafkaTransportConfig withDeliveryTimeout(Duration timeout) {
        return new KafkaTransportConfig(bootstrapServers, source, topics, topicCreation, timeout, properties);
    }

    /** Sets one more property of Kafka's producer. */
    public KafkaTransportConfig withProperty(String name, String value) {
        Map<String, String> more = new TreeMap<>(properties);
        more.put(name, value);
        return withProperties(more);
    }

    /** Sets the further properties of Kafka's producer, in place of those set before. */
    public KafkaTransportConfig withProperties(Map<String, String> further) {
        return new KafkaTransportConfig(bootstrapServers, source, topics, topicCreation, deliveryTimeout, further);
    }

    /**
     * The topic of a destination. Worth a call at start for each destination that is known by then.
     *
     * @throws IllegalArgumentException if the destination has no topic that Kafka allows
     */
    public String topicOf(String destination) {
        String topic = topics.apply(destination);
        if (topic == null || !isTopic(topic)) {
            throw new IllegalArgumentException("Destination " + OneLine.of(destination) + " goes to topic \""
                    + OneLine.of(String.valueOf(topic))
                    + "\", which Kafka does not allow; use 1 to 249 of A-Z a-z 0-9 . _ -, or map the destination to another"
                    + " topic with withTopics.");
        }
        return topic;
    }

    /** Whether Kafka allows a topic of this name. */
    static boolean isTopic(String name) {
        return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** Shows the names of properties only: their values hold passwords. */
    @Override
    public String toString() {
        return "KafkaTransportConfig[bootstrapServers=" + bootstrapServers + ", source=" + source + ", topicCreation="
                + topicCreation + ", deliveryTimeout=" + deliveryTimeout + ", properties="
                + new TreeSet<>(properties.keySet()) + "]";
    }

    private static void requireUri(String source) {
        try {
            if (!source.isBlank() && !new URI(source).toString().isEmpty()) {
                return;
            }
        } catch (URISyntaxException e) {
            throw refused(source, e);
        }
        throw refused(source, null);
    }

    private static IllegalArgumentException refused(String source, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "source \"" + OneLine.of(source)
                        + "\" is not allowed; CloudEvents want a URI reference there, for instance /shop/orders"
                        + " or urn:shop:orders.",
                cause);
    }
}
