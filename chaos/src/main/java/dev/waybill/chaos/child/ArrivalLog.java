package dev.waybill.chaos.child;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.waybill.transport.kafka.KafkaHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what a consumer received, before its inbox sees it: topic, partition, offset and event on a line, each poll in one
 * write to the operating system, which keeps it when the process is killed. Called by the consumer's thread.
 */
public final class ArrivalLog implements ConsumerInterceptor<byte[], byte[]> {
    /** The property of Kafka's consumer that names the file. */
    public static final String FILE = "waybill.chaos.arrivals";

    private @Nullable FileChannel file;

    @Override
    public void configure(Map<String, ?> configs) {
        try {
            file = FileChannel.open(Path.of(String.valueOf(configs.get(FILE))), WRITE, CREATE, APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        StringBuilder lines = new StringBuilder();
        for (ConsumerRecord<byte[], byte[]> one : records) {
            lines.append(one.topic()).append(' ');
            lines.append(one.partition()).append(' ');
            lines.append(one.offset()).append(' ');
            lines.append(KafkaHeaders.read(one).event().id()).append('\n');
        }
        FileChannel open = file;
        if (open != null && lines.length() > 0) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    open.write(bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Only arrivals are of interest.
    }

    @Override
    public void close() {
        // The process ends with it.
    }
}
