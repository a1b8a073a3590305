package dev.waybill.chaos.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.proxy.TcpProxy;
import dev.waybill.chaos.proxy.Trouble;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.Route;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.FreePorts;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to the broker that are dead without a word: whoever waits for their answers has to notice soon. */
class SilentBrokerTest {
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";

    @TempDir
    Path folder;

    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
    private KafkaBroker broker;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws Exception {
        int port = FreePorts.next();
        int behindProxy = FreePorts.next();
        proxy = TcpProxy.start(FreePorts.next(), behindProxy);
        broker = BrokerRole.open(Arguments.none()
                .with("folder", folder)
                .with("port", port)
                .with("controllerPort", FreePorts.next())
                .with("relayPorts", behindProxy + ":" + proxy.port()));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + port))) {
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

    private Relay relay(Transport transport) {
        return Relay.builder(store)
                .config(RelayConfig.defaults().withProbe(Duration.ofMillis(200), Duration.ofSeconds(1)))
                .otherwise(Route.to(transport))
                .build()
                .start();
    }

    private void publish(Relay relay) {
        try (MemoryTransaction transaction = store.begin()) {
            store.append(
                    transaction,
                    List.of(Event.to(TOPIC)
                            .key("k")
                            .type("t")
                            .payload(new byte[10])
                            .build()),
                    Set.of());
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
