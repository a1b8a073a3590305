package dev.waybill.benchmarks.raw;

import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The raw loop that sends to Kafka, idempotent and with acks=all: while batches are on their way it reads the next ones,
 * and deletes a batch when all of it is acknowledged.
 */
final class RawKafka extends RawOutbox {
    private static final int BATCHES = 4;
    private static final long IDLE_NANOS = 1_000_000;

    RawKafka(Site site) {
        super(site);
    }

    @Override
    public String settings() {
        return super.settings() + "; Kafka producer idempotent, acks=all, " + BATCHES + " batches on their way";
    }

    @Override
    void drain(Connection connection, Receiver receiver) throws SQLException {
        String topic = site().options().getOrDefault("topic", "raw");
        try (Producer<String, byte[]> producer = producer()) {
            Deque<Sent> onTheirWay = new ArrayDeque<>();
            long position = 0;
            while (!isStopped()) {
                List<Row> rows = onTheirWay.size() < BATCHES ? read(connection, position) : List.of();
                if (!rows.isEmpty()) {
                    onTheirWay.add(send(producer, topic, rows, receiver));
                    position = rows.get(rows.size() - 1).number();
                    continue;
                }
                Sent oldest = onTheirWay.poll();
                if (oldest == null) {
                    LockSupport.parkNanos(IDLE_NANOS);
                } else {
                    oldest.await();
                    delete(connection, oldest.rows());
                }
            }
        }
    }

    private Producer<String, byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", site().options().getOrDefault("kafka", "localhost:9092")),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    private static Sent send(Producer<String, byte[]> producer, String topic, List<Row> rows, Receiver receiver) {
        List<Future<RecordMetadata>> answers = new ArrayList<>(rows.size());
        for (Row row : rows) {
            answers.add(producer.send(new ProducerRecord<>(topic, row.key(), row.payload()), (metadata, failure) -> {
                if (failure == null) {
                    receiver.received(row.key(), row.payload());
                }
            }));
        }
        return new Sent(rows, answers);
    }

    private record Sent(List<Row> rows, List<Future<RecordMetadata>> answers) {
        void await() {
            try {
                for (Future<RecordMetadata> answer : answers) {
                    answer.get();
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("Kafka refused a record", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted", e);
            }
        }
    }
}
