package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.journal.Checker;
import dev.waybill.benchmarks.journal.Findings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic round by round, each from where the last one ended. Not thread-safe. */
final class Topic implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(500);

    private final Consumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;

    Topic(String brokers, String name) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "enable.auto.commit", "false", "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        partitions = consumer.partitionsFor(name).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Compares what came since the last time with a backlog of so many messages. */
    Findings compare(int messages) {
        Checker checker = new Checker();
        checker.publishedUpTo(messages);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<String, byte[]> one : consumer.poll(WAIT)) {
                // A key is in one partition, so that its offsets are its order.
                checker.received(Message.keyOf(one.value()), Message.numberOf(one.value()), one.offset());
            }
        }
        return checker.findings();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
