package dev.waybill.transport.kafka;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** How Kafka is reached: refused with a reason, or within the limits that are documented. */
public final class KafkaConfigTarget implements FuzzTarget {

    @Override
    public void check(Input input) {
        try {
            if (input.flag()) {
                checkConsumer(input);
            } else {
                checkTransport(input);
            }
        } catch (IllegalArgumentException e) {
            Expect.refusal(e);
        }
    }

    private static void checkTransport(Input input) {
        int partitions = input.integer();
        int replicas = input.integer();
        KafkaTransportConfig config = KafkaTransportConfig.of(input.text())
                .withSource(input.text())
                .withDeliveryTimeout(input.duration())
                .withTopicCreation(partitions, replicas)
                .withTopics(input.map())
                .withProperties(input.map());
        TopicCreation creation = config.topicCreation();
        Expect.that(partitions >= 1 && replicas >= 1, "Topics with " + partitions + " partitions and " + replicas);
        Expect.that(creation != null && creation.replicationFactor() <= replicas, "More replicas than were wanted");
        Expect.that(
                config.deliveryTimeout().compareTo(Duration.ofSeconds(1)) >= 0
                        && config.deliveryTimeout().compareTo(Duration.ofMinutes(5)) <= 0,
                "A time-out of " + config.deliveryTimeout());
        Expect.that(KafkaTransportConfig.isTopic(config.topicOf(input.text())), "Kafka has no such topic");
        Map<String, String> properties = new HashMap<>(config.properties());
        properties
                .values()
                .forEach(value -> Expect.that(
                        value.length() < 8 || !config.toString().contains(value) || isNamed(config, value),
                        "The value of a property is shown: it may be a password"));
    }

    /** A value may be, by chance, a part of what is shown anyway. */
    private static boolean isNamed(KafkaTransportConfig config, String value) {
        return config.withProperties(Map.of()).toString().contains(value)
                || config.properties().keySet().stream().anyMatch(name -> name.contains(value))
                || config.properties().keySet().toString().contains(value);
    }

    private static void checkConsumer(Input input) {
        KafkaConsumerConfig config = new KafkaConsumerConfig(
                input.text(),
                new HashSet<>(input.texts()),
                input.textOrNull(),
                input.integer(),
                input.integer(),
                input.duration(),
                input.map());
        Expect.that(config.threads() >= 1 && config.threads() <= 1_000, "Threads: " + config.threads());
        Expect.that(config.maxInFlight() >= 1 && config.maxInFlight() <= 1_000_000, "Far too many in flight");
        Expect.that(!config.topics().isEmpty(), "No topics");
    }
}
