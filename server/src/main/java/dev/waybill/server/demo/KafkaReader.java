package dev.waybill.server.demo;

import dev.waybill.transport.kafka.KafkaHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a topic from its beginning with a plain consumer, on a thread of its own, into the ledger. Thread-safe. */
final class KafkaReader implements KafkaArrivals {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaReader.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration END_OFFSETS = Duration.ofSeconds(2);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Ledger ledger;
    private final Thread thread = new Thread(this::run, "demo-consumer");
    private volatile boolean closed;
    private volatile @Nullable CompletableFuture<Void> atEnd;

    private KafkaReader(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions, Ledger ledger) {
        this.consumer = consumer;
        this.partitions = partitions;
        this.ledger = ledger;
        thread.setDaemon(true);
    }

    static KafkaReader start(String brokers, String topic, int partitions, Ledger ledger) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", brokers,
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false",
                // Back soon after an outage: what is late here looks like latency of the relay.
                "reconnect.backoff.max.ms", "200",
                "retry.backoff.max.ms", "200");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        KafkaReader reader = new KafkaReader(consumer, all, ledger);
        reader.thread.start();
        return reader;
    }

    @Override
    public boolean awaitEnd(Duration atMost) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        atEnd = end;
        try {
            end.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                readOn();
            }
        }
    }

    private void readOn() {
        try {
            CompletableFuture<Void> asked = atEnd;
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            records.forEach(this::enter);
            if (asked != null && records.isEmpty() && isAtEnd()) {
                asked.complete(null);
            }
        } catch (KafkaException e) {
            // The woken consumer throws as well.
            if (!closed) {
                LOG.warn("The consumer could not read; it tries again", e);
            }
        }
    }

    private void enter(ConsumerRecord<byte[], byte[]> record) {
        String id = KafkaHeaders.find(record.headers(), KafkaHeaders.ID)
                .orElseThrow(() -> new IllegalStateException("A record without an id at " + record.offset()));
        ledger.delivered(UUID.fromString(id));
    }

    private boolean isAtEnd() {
        return consumer.endOffsets(partitions, END_OFFSETS).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey(), END_OFFSETS) >= end.getValue());
    }
}
