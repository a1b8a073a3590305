package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.DeliveryResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What befalls the producer's own thread, by way of an interceptor: it stalls, or an error ends it. */
class KafkaProducerThreadTest {
    private static final AtomicReference<@Nullable Runnable> TROUBLE = new AtomicReference<>();

    @TempDir
    Path folder;

    @Test
    void aDeadProducerIsReplaced() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("orders", 1);
            Answers answers = new Answers();
            try (KafkaTransport transport = KafkaTransport.create(KafkaTransportConfig.of(broker.bootstrapServers())
                    .withDeliveryTimeout(Duration.ofSeconds(1))
                    .withProperty("interceptor.classes", Troublesome.class.getName()))) {
                assertThat(answers.of(transport, event())).isEqualTo(DeliveryResult.delivered());
                TROUBLE.set(() -> {
                    throw new AssertionError("This ends the producer's thread.");
                });
                transport.send(List.of(answers.delivery(event())), answers);
                await().until(() -> TROUBLE.get() == null);

                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> {
                            transport.send(List.of(answers.delivery(event())), answers);
                            return answers.all().values().stream()
                                            .filter(List.of(DeliveryResult.delivered())::equals)
                                            .count()
                                    > 1;
                        });
            }
        }
    }

    /** The buffer is full for longer than a call to the producer waits. */
    @Test
    void aProducerThatStallsIsWaitedFor() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("orders", 1);
            Answers answers = new Answers();
            try (KafkaTransport transport = KafkaTransport.create(KafkaTransportConfig.of(broker.bootstrapServers())
                    .withProperty("buffer.memory", "140000")
                    .withProperty("interceptor.classes", Troublesome.class.getName()))) {
                TROUBLE.set(() -> stall(Duration.ofMillis(2_500)));
                List<Event> events = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    events.add(Event.to("orders")
                            .type("t")
                            .payload(new byte[2_000])
                            .build());
                }
                transport.send(events.stream().map(answers::delivery).toList(), answers);

                answers.await(events.size());
                assertThat(events)
                        .allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
            }
        }
    }

    private static void stall(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static Event event() {
        return Event.to("orders").type("t").build();
    }

    /** Makes trouble once, when it is told to. */
    public static final class Troublesome implements ProducerInterceptor<byte[], byte[]> {

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            Runnable trouble = TROUBLE.getAndSet(null);
            if (trouble != null) {
                trouble.run();
            }
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }
}
