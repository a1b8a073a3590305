package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.testkit.check.Verdict;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker goes away under load and comes back: nothing is lost, nothing overtakes, and nobody pays for it. */
class KafkaOutageTest {
    private static final Logger log = LoggerFactory.getLogger(KafkaOutageTest.class);
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("waybill.kafka.outage", 8));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";

    @TempDir
    Path folder;

    /** The shorter time-out ends within the outage: records fail, and the relay pauses the destination and probes it. */
    @ParameterizedTest
    @ValueSource(ints = {10, 3})
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void anOutageCostsNoAttemptsAndDeliveryResumesSoon(int deliveryTimeout) {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic(TOPIC, 4);
            MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
            WatchedTransport transport = new WatchedTransport(
                    KafkaTransport.create(config(broker).withDeliveryTimeout(Duration.ofSeconds(deliveryTimeout))));
            Relay relay = Relay.builder(store).route(TOPIC, transport).build().start();
            Shop shop = new Shop(store, TOPIC, relay::wakeUp);
            shop.open();
            await().atMost(PATIENCE).until(() -> transport.delivered() > 1_000);

            broker.stop();
            await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(10)).until(() -> true);
            long back = start(broker);
            await().atMost(PATIENCE)
                    .until(() -> transport.firstArrivalAfter(back).isPresent());
            Duration resumed =
                    Duration.ofNanos(transport.firstArrivalAfter(back).getAsLong() - back);
            int before = transport.delivered();
            await().atMost(PATIENCE).until(() -> transport.delivered() > before + 1_000);
            shop.close();
            await().atMost(PATIENCE).until(() -> transport.delivered() >= shop.written());
            relay.close();
            transport.close();

            List<ConsumerRecord<byte[], byte[]>> records = read(broker, (int) shop.written());
            records.forEach(record ->
                    shop.checker().delivered(KafkaHeaders.read(record).event().id()));
            Verdict verdict = shop.checker().verdict();
            log.warn("Outage of {}: resumed {} ms after the port was open; {}", OUTAGE, resumed.toMillis(), verdict);
            assertThat(resumed).isLessThan(Duration.ofSeconds(5));
            assertThat(verdict.holds()).as(verdict.toString()).isTrue();
            assertThat(records)
                    .extracting(record -> KafkaHeaders.read(record).attempt())
                    .containsOnly(1);
            assertThat(relay.status().retried()).isZero();
            assertThat(store.deadLetters().list(DeadLetterFilter.all(), 0, 1)).isEmpty();
            assertThat(transport.secondAnswers()).isEmpty();
            assertThat(transport.failures())
                    .allSatisfy(failure -> assertThat(failure).isInstanceOf(DeliveryResult.Unavailable.class));
            if (OUTAGE.toSeconds() > deliveryTimeout + 1) {
                assertThat(transport.failures()).isNotEmpty();
            }
        }
    }

    /** The record has timed out, and the broker is back by the time that it is asked. */
    @Test
    void anOutageThatIsOverWhenItIsLookedIntoWasStillAnOutage() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic(TOPIC, 1);
            Answers answers = new Answers();
            try (KafkaTransport transport =
                    KafkaTransport.create(config(broker).withDeliveryTimeout(Duration.ofSeconds(3)))) {
                assertThat(answers.of(transport, event())).isEqualTo(DeliveryResult.delivered());
                broker.stop();
                Event event = event();
                transport.send(List.of(answers.delivery(event)), answers);
                await().pollDelay(Duration.ofMillis(3_300))
                        .atMost(Duration.ofSeconds(10))
                        .until(() -> true);
                broker.start();

                assertThat(answers.of(event)).isInstanceOf(DeliveryResult.Unavailable.class);
                assertThat(answers.of(transport, event())).isEqualTo(DeliveryResult.delivered());
            }
        }
    }

    @Test
    void sendingDoesNotWaitForABrokerThatIsAway() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic(TOPIC, 1);
            Answers answers = new Answers();
            try (KafkaTransport transport = KafkaTransport.create(config(broker)
                    .withDeliveryTimeout(Duration.ofSeconds(3))
                    .withProperty("buffer.memory", "200000"))) {
                assertThat(answers.of(transport, event())).isEqualTo(DeliveryResult.delivered());
                broker.stop();
                List<Event> events = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    events.add(event());
                }
                List<Delivery> batch = events.stream().map(answers::delivery).toList();

                long start = System.nanoTime();
                transport.send(batch, answers);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
                answers.await(1 + events.size());
                assertThat(events)
                        .allSatisfy(
                                event -> assertThat(answers.of(event)).isInstanceOf(DeliveryResult.Unavailable.class));
            }
        }
    }

    @Test
    void whatWasNotAnsweredBeforeCloseIsNeverAnswered() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic(TOPIC, 1);
            Answers answers = new Answers();
            KafkaTransport transport = KafkaTransport.create(config(broker).withDeliveryTimeout(Duration.ofSeconds(3)));
            assertThat(answers.of(transport, event())).isEqualTo(DeliveryResult.delivered());
            broker.stop();
            for (int i = 0; i < 100; i++) {
                transport.send(List.of(answers.delivery(event())), answers);
            }

            transport.close();
            broker.start();
            await().during(Duration.ofSeconds(4))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> answers.all().size() == 1);
        }
    }

    @Test
    void aBrokerThatWasNeverThereIsAnOutage() {
        Answers answers = new Answers();
        try (KafkaTransport nobody = KafkaTransport.create(KafkaTransportConfig.of("127.0.0.1:9"));
                KafkaTransport nowhere = KafkaTransport.create(KafkaTransportConfig.of("no-such-host.invalid:9092"))) {
            assertThat(answers.of(nobody, event()))
                    .isInstanceOfSatisfying(
                            DeliveryResult.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("No broker could be reached"));
            assertThat(answers.of(nowhere, event()))
                    .isInstanceOfSatisfying(
                            DeliveryResult.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("bootstrap"));
        }
    }

    private static Event event() {
        return Event.to(TOPIC).type("t").payload(new byte[2_000]).build();
    }

    private static KafkaTransportConfig config(KafkaBroker broker) {
        return KafkaTransportConfig.of(broker.bootstrapServers());
    }

    /** Starts the broker and returns when it accepted connections, by {@link System#nanoTime}. */
    private static long start(KafkaBroker broker) {
        CompletableFuture<Void> starting = CompletableFuture.runAsync(broker::start);
        String[] address = broker.bootstrapServers().split(":", -1);
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                        return socket.isConnected();
                    } catch (IOException e) {
                        return false;
                    }
                });
        long back = System.nanoTime();
        starting.join();
        return back;
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaBroker broker, int atLeast) {
        try (TopicReader reader = new TopicReader(broker.bootstrapServers(), TOPIC)) {
            return reader.await(atLeast);
        }
    }
}
