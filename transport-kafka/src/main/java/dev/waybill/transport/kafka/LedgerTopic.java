package dev.waybill.transport.kafka;

import dev.waybill.store.Shards;
import dev.waybill.transport.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The topic with the ledgers of an outbox: a partition for each group, of which the last committed record counts. Compacted, so
 * that it stays small and that record is never deleted. Thread-safe.
 */
final class LedgerTopic {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    /** The record that counts is among the last few, unless many transactions in a row were aborted. */
    private static final long FIRST_LOOK = 16;

    private static final Map<String, String> SETTINGS = Map.of(
            "cleanup.policy", "compact",
            "segment.bytes", String.valueOf(16 * 1024 * 1024),
            "min.cleanable.dirty.ratio", "0.1");

    private final KafkaTransportConfig config;
    private final String name;

    LedgerTopic(KafkaTransportConfig config, String name) {
        this.config = config;
        this.name = name;
    }

    String name() {
        return name;
    }

    /**
     * Creates the topic if it is missing, and checks it.
     *
     * @throws KafkaException        whatever the cluster says
     * @throws IllegalStateException if there is a topic of this name that cannot be a ledger
     */
    void require(Admin admin) {
        Optional<TopicDescription> found = describe(admin);
        if (found.isEmpty()) {
            create(admin);
            found = describe(admin);
        }
        int partitions = found.map(topic -> topic.partitions().size()).orElse(Shards.GROUPS);
        if (partitions != Shards.GROUPS) {
            throw new IllegalStateException("Topic " + name + " has " + partitions + " partitions, a ledger needs "
                    + Shards.GROUPS + ": delete it while no relay runs, or name the outbox differently.");
        }
    }

    private Optional<TopicDescription> describe(Admin admin) {
        try {
            return Optional.ofNullable(
                    Replies.get(admin.describeTopics(List.of(name)).allTopicNames(), PATIENCE)
                            .get(name));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        }
    }

    private void create(Admin admin) {
        Optional<Short> replicas = Optional.ofNullable(config.topicCreation()).map(TopicCreation::replicationFactor);
        NewTopic topic = new NewTopic(name, Optional.of(Shards.GROUPS), replicas).configs(SETTINGS);
        try {
            Replies.get(admin.createTopics(List.of(topic)).all(), PATIENCE);
        } catch (TopicExistsException e) {
            // Another relay was faster.
        }
    }

    /**
     * What the ledger of a group says; empty if a broker knows of no such topic. To be called after the producer of the group's
     * transactions was initialised: from then on nothing is open or undecided in that partition.
     */
    Optional<List<Term.Arrived>> read(int group) {
        TopicPartition partition = new TopicPartition(name, group);
        Map<String, Object> settings =
                ProducerSettings.reader(config.bootstrapServers(), config.deliveryTimeout(), config.properties());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            if (consumer.partitionsFor(name, PATIENCE).isEmpty()) {
                return Optional.empty();
            }
            consumer.assign(List.of(partition));
            long end = offset(consumer.endOffsets(List.of(partition), PATIENCE), partition);
            long begin = offset(consumer.beginningOffsets(List.of(partition), PATIENCE), partition);
            long look = FIRST_LOOK;
            for (long from = end; from > begin; look *= 8) {
                from = Math.max(begin, end - look);
                byte[] last = last(consumer, partition, from, end);
                if (last != null) {
                    return Optional.of(LedgerRecord.read(last));
                }
            }
            return Optional.of(List.of());
        }
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        Long offset = offsets.get(partition);
        if (offset == null) {
            throw new KafkaException("The cluster knows no offsets of " + partition + ".");
        }
        return offset;
    }

    private static byte @Nullable [] last(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long from, long end) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        byte[] last = null;
        consumer.seek(partition, from);
        // Markers of transactions have offsets too, but are no records: the position passes them.
        while (consumer.position(partition, PATIENCE) < end) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
                if (record.offset() < end && record.value() != null) {
                    last = record.value();
                }
            }
            if (System.nanoTime() - deadline > 0) {
                throw new KafkaException("The ledger " + partition + " could not be read within " + PATIENCE + ".");
            }
        }
        return last;
    }
}
