package dev.waybill.chaos.check;

import dev.waybill.chaos.clock.TimeOfDay;
import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.event.Event;
import dev.waybill.store.Shards;
import dev.waybill.transport.kafka.KafkaHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads whole topics with a plain consumer: what every consumer sees, whoever wrote it. */
final class TopicReader {
    private static final Duration WAIT = Duration.ofMillis(500);

    private TopicReader() {}

    /** All records of all destinations, those of a partition in the order of their offsets. */
    static List<Arrival> read(String brokers, DeliveryMode mode, TimeOfDay timeOfDay) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                brokers,
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                mode.isolationLevel());
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = Settings.DESTINATIONS.stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, List<Arrival>> found = new LinkedHashMap<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> one : consumer.poll(WAIT)) {
                    TopicPartition partition = new TopicPartition(one.topic(), one.partition());
                    found.computeIfAbsent(partition, first -> new ArrayList<>())
                            .add(arrival(one, partition, timeOfDay));
                }
            }
            return found.values().stream().flatMap(List::stream).toList();
        }
    }

    private static Arrival arrival(ConsumerRecord<byte[], byte[]> one, TopicPartition partition, TimeOfDay timeOfDay) {
        Event event = KafkaHeaders.read(one).event();
        return new Arrival(event.id(), partition.toString(), Shards.of(event), timeOfDay.steady(one.timestamp()));
    }
}
