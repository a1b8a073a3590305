package dev.waybill.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
    @TempDir
    Path folder;

    @Test
    void itKeepsPortAndDataThroughSeveralOutages() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            String address = broker.bootstrapServers();
            broker.createTopic("orders", 2);
            for (int outage = 1; outage <= 3; outage++) {
                write(broker, "before outage " + outage);
                broker.stop();
                assertThat(broker.isRunning()).isFalse();
                assertThatThrownBy(() -> connect(address)).isInstanceOf(IOException.class);
                broker.start();
                assertThat(broker.bootstrapServers()).isEqualTo(address);
            }
            assertThat(read(broker)).containsExactly("before outage 1", "before outage 2", "before outage 3");
        }
    }

    @Test
    void stoppingAndStartingTwiceIsDoingItOnce() throws IOException {
        KafkaBroker broker = KafkaBroker.start(folder);
        broker.start();
        connect(broker.bootstrapServers());
        broker.close();
        broker.close();

        assertThat(broker.isRunning()).isFalse();
    }

    @Test
    void aBrokerWhosePortIsTakenSaysSoAndCanBeStartedLater() throws IOException {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.stop();
            int port = Integer.parseInt(broker.bootstrapServers().split(":", -1)[1]);
            try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(taken.isBound()).isTrue();
                assertThatThrownBy(broker::start)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(broker.bootstrapServers())
                        .hasMessageContaining("failed to start");
                assertThat(broker.isRunning()).isFalse();
            }
            broker.start();
            connect(broker.bootstrapServers());
        }
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");

        assertThatThrownBy(() -> KafkaBroker.start(file))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be used");
    }

    private static void write(KafkaBroker broker, String text) throws Exception {
        Map<String, Object> properties = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("orders", 1, "key", text)).get(20, TimeUnit.SECONDS);
        }
    }

    private static List<String> read(KafkaBroker broker) {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest");
        List<String> texts = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition("orders", 1)));
            Awaitility.await().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> texts.add(record.value()));
                return texts.size() >= 3;
            });
        }
        return texts;
    }

    private static void connect(String address) throws IOException {
        String[] parts = address.split(":", -1);
        try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
            assertThat(socket.isConnected()).isTrue();
        }
    }
}
