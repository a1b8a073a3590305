package dev.waybill.transport.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/** Reads a topic from its beginning. Used by one thread. */
final class TopicReader implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    TopicReader(String bootstrapServers, String topic) {
        this(bootstrapServers, topic, "read_uncommitted");
    }

    TopicReader(String bootstrapServers, String topic, String isolation) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                isolation,
                "reconnect.backoff.max.ms",
                "100",
                "max.poll.records",
                "10000");
        consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic, Duration.ofSeconds(20)).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** What has arrived so far; the order between partitions means nothing. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(20));
        while (!polled.isEmpty()) {
            polled.forEach(records::add);
            polled = consumer.poll(Duration.ofMillis(20));
        }
        return List.copyOf(records);
    }

    /** Waits until at least so many have arrived. */
    List<ConsumerRecord<byte[], byte[]>> await(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> records().size() >= count);
        return records();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
