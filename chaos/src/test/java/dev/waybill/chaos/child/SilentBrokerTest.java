package dev.waybill.chaos.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.proxy.TcpProxy;
import dev.waybill.chaos.proxy.Trouble;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.Route;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.FreePorts;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to the broker that are dead without a word: whoever waits for their answers has to notice soon. */
class SilentBrokerTest {
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";
    /** Keys in all groups of shards. */
    private static final int MANY = 200;

    @TempDir
    Path folder;

    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
    private KafkaBroker broker;
    private TcpProxy proxy;
    private String direct;

    @BeforeEach
    void start() throws Exception {
        int port = FreePorts.next();
        int behindProxy = FreePorts.next();
        direct = "127.0.0.1:" + port;
        proxy = TcpProxy.start(FreePorts.next(), behindProxy);
        broker = BrokerRole.open(Arguments.none()
                .with("folder", folder)
                .with("port", port)
                .with("controllerPort", FreePorts.next())
                .with("relayPorts", behindProxy + ":" + proxy.port()));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", direct))) {
            admin.createTopics(Set.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        broker.close();
    }

    /** The connections are made while answers are lost: not even what the first request asks for comes back. */
    @ParameterizedTest
    @EnumSource(DeliveryMode.class)
    void deliveryBeginsSoonAfterANetworkThatSwallowedTheFirstAnswers(DeliveryMode mode) {
        proxy.begin(Trouble.ONE_WAY, 0);
        try (Transport transport = Transports.open(mode, "127.0.0.1:" + proxy.port(), DELIVERY_TIMEOUT);
                Relay relay = relay(transport)) {
            publish(relay);
            await().atMost(PATIENCE).until(() -> relay.status().lastError().isPresent());
            proxy.heal();

            assertThat(untilDelivered(relay, 1)).isLessThan(Duration.ofSeconds(8));
        }
    }

    @ParameterizedTest
    @EnumSource(DeliveryMode.class)
    void deliveryGoesOnSoonAfterANetworkThatSwallowedEverything(DeliveryMode mode) {
        try (Transport transport = Transports.open(mode, "127.0.0.1:" + proxy.port(), DELIVERY_TIMEOUT);
                Relay relay = relay(transport)) {
            publish(relay);
            assertThat(untilDelivered(relay, 1)).isLessThan(PATIENCE);
            proxy.begin(Trouble.BLACK_HOLE, 0);
            publish(relay);
            await().atMost(PATIENCE).until(() -> relay.status().lastError().isPresent());
            proxy.heal();

            assertThat(untilDelivered(relay, 2)).isLessThan(Duration.ofSeconds(8));
        }
    }

    /** They are on their own: none waits until the others have found out. */
    @Test
    void allGroupsGoOnSoonAfterANetworkThatSwallowedEverything() {
        try (Transport transport =
                        Transports.open(DeliveryMode.EXACTLY_ONCE, "127.0.0.1:" + proxy.port(), DELIVERY_TIMEOUT);
                Relay relay = relay(transport)) {
            publishMany(relay);
            assertThat(untilDelivered(relay, MANY)).isLessThan(PATIENCE);
            proxy.begin(Trouble.BLACK_HOLE, 0);
            publishMany(relay);
            await().pollDelay(DELIVERY_TIMEOUT.plusSeconds(2)).until(() -> true);
            proxy.heal();

            assertThat(untilDelivered(relay, 2 * MANY)).isLessThan(Duration.ofSeconds(8));
        }
    }

    @Test
    void aConsumerReadsOnSoonAfterANetworkThatSwallowedEverything() {
        AtomicInteger handled = new AtomicInteger();
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("mailer", store.inbox())
                .on("t", (transaction, delivery) -> handled.incrementAndGet())
                .build();
        try (Transport transport = Transports.open(DeliveryMode.IDEMPOTENT, direct, DELIVERY_TIMEOUT);
                Relay relay = relay(transport);
                KafkaInboxConsumer source = KafkaInboxConsumer.start(
                        KafkaConsumerConfig.of("127.0.0.1:" + proxy.port(), TOPIC), consumer)) {
            publish(relay);
            await().atMost(PATIENCE).until(() -> handled.get() == 1);
            proxy.begin(Trouble.BLACK_HOLE, 0);
            // A fetch waits for half a second: one of them is lost by now.
            await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
            proxy.heal();
            publish(relay);
            long began = System.nanoTime();
            await().atMost(PATIENCE).until(() -> handled.get() == 2);

            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("until %s went on", source)
                    .isLessThan(Duration.ofSeconds(15));
        }
    }

    private Relay relay(Transport transport) {
        return Relay.builder(store)
                .config(RelayConfig.defaults().withProbe(Duration.ofMillis(200), Duration.ofSeconds(1)))
                .otherwise(Route.to(transport))
                .build()
                .start();
    }

    private void publish(Relay relay) {
        publish(relay, 1);
    }

    private void publishMany(Relay relay) {
        publish(relay, MANY);
    }

    private void publish(Relay relay, int count) {
        try (MemoryTransaction transaction = store.begin()) {
            List<Event> events = IntStream.range(0, count)
                    .mapToObj(i -> Event.to(TOPIC)
                            .key("k" + i)
                            .type("t")
                            .payload(new byte[10])
                            .build())
                    .toList();
            store.append(transaction, events, Set.of());
            transaction.commit();
        }
        relay.wakeUp();
    }

    private static Duration untilDelivered(Relay relay, long count) {
        long began = System.nanoTime();
        await().atMost(PATIENCE).until(() -> relay.status().delivered() >= count);
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
