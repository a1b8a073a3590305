package dev.waybill.spring.boot;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.spring.boot.WaybillProperties.Consumer;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.spring.relay.Transports;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which topics each consumer reads: those of the settings, or those of its handlers' destinations that go by Kafka. What this
 * application delivers to itself within the process is not read from Kafka as well.
 */
record KafkaReading(
        WaybillProperties properties, Consumers consumers, RouteTable routes, KafkaTransportConfig transport) {
    // The group expels whoever waits for longer than half of its poll interval of five minutes.
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(2);

    /** By the names of the consumers that read something. */
    Map<String, KafkaConsumerConfig> configs() {
        Map<String, KafkaConsumerConfig> configs = new TreeMap<>();
        for (InboxConsumer<?> consumer : consumers.all()) {
            Consumer settings = properties.consumers().get(consumer.name());
            Set<String> topics =
                    settings == null || settings.topics().isEmpty() ? topics(consumer.name()) : settings.topics();
            if (!topics.isEmpty()) {
                configs.put(
                        consumer.name(),
                        CoreConfigs.checked("waybill.consumers." + consumer.name(), () -> config(topics, settings)));
            }
        }
        return configs;
    }

    private Set<String> topics(String consumer) {
        Set<String> topics = new TreeSet<>();
        boolean any = false;
        for (String destination : consumers.destinations(consumer)) {
            if (destination.isEmpty()) {
                any = true;
            } else if (routes.transportOf(destination).equals(Transports.KAFKA)) {
                topics.add(transport.topicOf(destination));
            }
        }
        // Topics of other handlers, and destinations that stay in the process, hardly carry its events.
        if (any && !routes.transportOf("").equals(Transports.IN_PROCESS)) {
            throw new SetupException(
                    "Consumer " + consumer
                            + " has a handler that names no destination, and events do not stay in the process: nothing"
                            + " says which topic it reads.",
                    "Set waybill.consumers." + consumer + ".topics, or the destination of its @EventHandler.");
        }
        return topics;
    }

    private KafkaConsumerConfig config(Set<String> topics, @Nullable Consumer settings) {
        Duration patience = properties.relay().shutdownTimeout();
        KafkaConsumerConfig config = KafkaConsumerConfig.of(transport.bootstrapServers(), topics.toArray(String[]::new))
                .withPatience(patience.compareTo(LONGEST_PATIENCE) > 0 ? LONGEST_PATIENCE : patience)
                .withProperties(properties.kafka().consumerProperties());
        if (settings == null) {
            return config;
        }
        KafkaConsumerConfig sized = config.withThreads(settings.threads()).withMaxInFlight(settings.maxInFlight());
        return settings.groupId().isEmpty() ? sized : sized.withGroupId(settings.groupId());
    }
}
