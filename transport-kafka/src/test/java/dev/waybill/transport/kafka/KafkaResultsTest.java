package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.DeliveryResult.Rejected;
import dev.waybill.transport.DeliveryResult.Unavailable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each failure of a real broker becomes. */
class KafkaResultsTest {
    @TempDir
    static Path folder;

    private static @Nullable KafkaBroker broker;

    private final String topic = "results." + UUID.randomUUID();
    private final Answers answers = new Answers();
    private final List<KafkaTransport> opened = new ArrayList<>();

    @BeforeAll
    static void startBroker() {
        broker = KafkaBroker.start(folder);
    }

    @AfterAll
    static void stopBroker() {
        broker().close();
    }

    @AfterEach
    void closeTransports() {
        opened.forEach(KafkaTransport::close);
    }

    @Test
    void whatIsTooLargeForTheClientIsRejected() {
        broker().createTopic(topic, 1);

        assertThat(answers.of(
                        open(config()), event().payload(new byte[1_100_000]).build()))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("RecordTooLarge"));
    }

    @Test
    void whatIsTooLargeForTheTopicIsRejectedAndItsNeighboursArrive() {
        broker().createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
        Event large = event().key("large").payload(new byte[30_000]).build();
        List<Event> small = new ArrayList<>();
        List<Delivery> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Event event = event().key("small-" + i).payload(new byte[3_000]).build();
            small.add(event);
            batch.add(answers.delivery(event));
        }
        batch.add(10, answers.delivery(large));
        open(config().withProperty("linger.ms", "200")).send(batch, answers);

        assertThat(answers.of(large))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("RecordTooLarge"));
        assertThat(small).allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
    }

    @Test
    void thePayloadLimitThatItNamesFitsWithTheLongestKeyAndManyHeaders() {
        broker().createTopic(topic, 1);
        KafkaTransport transport = open(config());
        Event.Builder largest = event().key("数".repeat(255)).payload(new byte[transport.maxPayloadBytes()]);
        for (int i = 0; i < 64; i++) {
            largest.header("header-name-" + (100 + i), "v".repeat(240));
        }

        assertThat(answers.of(transport, largest.build())).isEqualTo(DeliveryResult.delivered());
        assertThat(transport.maxPayloadBytes()).isGreaterThan(1_000_000);
    }

    @Test
    void aMissingTopicHoldsItsEventsUntilSomebodyCreatesIt() {
        KafkaTransport transport = open(config());

        assertThat(answers.of(transport, event().build()))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable ->
                                assertThat(unavailable.reason()).contains(topic, "create it", "withTopicCreation"));
        broker().createTopic(topic, 1);
        assertThat(answers.of(transport, event().build())).isEqualTo(DeliveryResult.delivered());
    }

    @Test
    void aMissingTopicIsCreatedIfThatIsSwitchedOn() throws Exception {
        KafkaTransport transport = open(config().withTopicCreation(5, 1));

        assertThat(answers.of(transport, event().build())).isEqualTo(DeliveryResult.delivered());
        try (Admin admin = admin()) {
            assertThat(admin.describeTopics(List.of(topic))
                            .allTopicNames()
                            .get(20, TimeUnit.SECONDS)
                            .values())
                    .singleElement()
                    .satisfies(created -> assertThat(created.partitions()).hasSize(5));
        }
    }

    @Test
    void aTopicThatCannotBeCreatedHoldsItsEvents() {
        assertThat(answers.of(open(config().withTopicCreation(1, 3)), event().build()))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable ->
                                assertThat(unavailable.reason()).contains("could not be created", "Replication"));
    }

    @Test
    void aTopicThatIsDeletedHoldsItsOwnEventsAndNoOthers() throws Exception {
        String other = topic + ".other";
        broker().createTopic(topic, 1);
        broker().createTopic(other, 1);
        KafkaTransport transport = open(config().withDeliveryTimeout(Duration.ofSeconds(4)));
        assertThat(answers.of(transport, event().build())).isEqualTo(DeliveryResult.delivered());
        try (Admin admin = admin()) {
            admin.deleteTopics(Set.of(topic)).all().get(20, TimeUnit.SECONDS);
        }
        Event homeless = event().build();
        transport.send(List.of(answers.delivery(homeless)), answers);

        assertThat(answers.of(transport, Event.to(other).type("t").build())).isEqualTo(DeliveryResult.delivered());
        assertThat(answers.all()).as("the other one had not to wait for it").doesNotContainKey(homeless);
        assertThat(answers.of(homeless))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).contains("create it"));
    }

    @Test
    void aDestinationThatCannotBeATopicIsRejected() {
        Event event = Event.to("shop:orders/new").type("t").build();

        assertThat(answers.of(open(config()), event))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("shop:orders/new", "withTopics"));
        broker().createTopic(topic, 1);
        KafkaTransport mapped = open(config().withTopics(Map.of("shop:orders/new", topic)));
        Event again = Event.to("shop:orders/new").type("t").build();
        assertThat(answers.of(mapped, again)).isEqualTo(DeliveryResult.delivered());
        try (TopicReader reader = new TopicReader(broker().bootstrapServers(), topic)) {
            assertThat(KafkaHeaders.read(reader.await(1).get(0)).event()).isEqualTo(again);
        }
    }

    @Test
    void anEventWithoutKeyForACompactedTopicIsRejected() {
        broker().createTopic(topic, 1, Map.of("cleanup.policy", "compact"));

        assertThat(answers.of(open(config()), event().build()))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("InvalidRecord"));
    }

    @Test
    void aHeaderThatBearsOneOfOurNamesIsRejected() {
        Event event = event().header("Ce_Id", "stolen")
                .header("waybill-x", "1")
                .header("ce_tenant", "fine")
                .build();

        assertThat(answers.of(open(config()), event))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.reason())
                                .contains("Ce_Id", "waybill-x")
                                .doesNotContain("ce_tenant"));
    }

    @Test
    void moreThanTheBufferHoldsArrivesOnceEach() {
        broker().createTopic(topic, 2);
        KafkaTransport transport = open(config().withProperty("buffer.memory", "300000"));
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            events.add(event().key("key-" + i).payload(new byte[20_000]).build());
        }
        transport.send(events.stream().map(answers::delivery).toList(), answers);

        answers.await(events.size());
        assertThat(events).allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
        try (TopicReader reader = new TopicReader(broker().bootstrapServers(), topic)) {
            assertThat(reader.await(events.size())).hasSize(events.size());
        }
    }

    private Event.Builder event() {
        return Event.to(topic).type("t");
    }

    private static KafkaTransportConfig config() {
        return KafkaTransportConfig.of(broker().bootstrapServers());
    }

    private KafkaTransport open(KafkaTransportConfig config) {
        KafkaTransport transport = KafkaTransport.create(config);
        opened.add(transport);
        return transport;
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker().bootstrapServers()));
    }

    private static KafkaBroker broker() {
        return Objects.requireNonNull(broker);
    }
}
