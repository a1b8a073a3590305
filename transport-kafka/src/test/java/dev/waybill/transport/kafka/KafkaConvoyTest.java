package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.relay.Route;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.DeliveryResult.Rejected;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several records of a key that are on their way together, and one of them fails. */
class KafkaConvoyTest {
    /** Every record in a batch of its own: else those of a key would fail together by themselves. */
    private static final String NO_BATCHES = "1";

    private static final byte[] TOO_LARGE = new byte[30_000];

    @TempDir
    static Path folder;

    private static @Nullable KafkaBroker broker;

    private final String topic = "convoys." + UUID.randomUUID();
    private final Answers answers = new Answers();

    @BeforeAll
    static void startBroker() {
        broker = KafkaBroker.start(folder);
    }

    @AfterAll
    static void stopBroker() {
        Objects.requireNonNull(broker).close();
    }

    @Test
    void theyArriveInOrder() {
        broker().createTopic(topic, 4);
        List<Event> events = IntStream.range(0, 500)
                .mapToObj(i -> small("key-" + i / 100, i))
                .toList();
        try (KafkaTransport transport = open(config())) {
            assertThat(transport.keepsOrder()).isTrue();
            send(transport, events);
            assertThat(events).allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
        }
        assertThat(arrived(500).values())
                .hasSize(5)
                .allSatisfy(numbers -> assertThat(numbers).isSorted().hasSize(100));
    }

    @Test
    void nothingArrivesBehindARecordThatTheTopicRefuses() {
        broker().createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
        List<Event> events = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> events.add(small("a", i)));
        Event refused = Event.to(topic).key("a").type("t").payload(TOO_LARGE).build();
        events.add(refused);
        List<Event> behind = IntStream.range(6, 60).mapToObj(i -> small("a", i)).toList();
        events.addAll(behind);
        List<Event> others = IntStream.range(100, 200)
                .mapToObj(i -> small("key-" + i % 3, i))
                .toList();
        events.addAll(others);
        try (KafkaTransport transport = open(config().withProperty("batch.size", NO_BATCHES))) {
            send(transport, events);
            assertThat(answers.of(refused)).isInstanceOf(Rejected.class);
            assertThat(others).allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
            assertThat(events.subList(0, 5))
                    .allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
            assertThat(answers.all()).doesNotContainKeys(behind.toArray(Event[]::new));
            assertThat(arrived(105).get("a")).containsExactly(0, 1, 2, 3, 4);

            send(transport, behind);
            assertThat(behind).allSatisfy(event -> assertThat(answers.of(event)).isEqualTo(DeliveryResult.delivered()));
        }
        assertThat(arrived(159).get("a")).isSorted().hasSize(59);
    }

    @Test
    void nothingIsSentBehindAnEventThatCannotBeARecord() {
        broker().createTopic(topic, 1);
        Event stolen = Event.to(topic)
                .key("a")
                .type("t")
                .header("ce_id", "stolen")
                .json("1")
                .build();
        Event behind = small("a", 2);
        Event other = small("b", 3);
        try (KafkaTransport transport = open(config())) {
            send(transport, List.of(small("a", 0), stolen, behind, other));
            assertThat(answers.of(stolen)).isInstanceOf(Rejected.class);
            assertThat(answers.of(other)).isEqualTo(DeliveryResult.delivered());
            assertThat(answers.all()).doesNotContainKey(behind);
        }
        assertThat(arrived(2)).isEqualTo(Map.of("a", List.of(0), "b", List.of(3)));
    }

    @Test
    void aConvoyStaysInOnePartitionWhenTheTopicGetsMore() throws Exception {
        broker().createTopic(topic, 1);
        List<Event> events = IntStream.range(0, 60_000)
                .mapToObj(i -> small("key-" + i / 15_000, i))
                .toList();
        try (KafkaTransport transport = open(config().withProperty("metadata.max.age.ms", "20"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker().bootstrapServers()))) {
            assertThat(answers.of(transport, small("first", 0))).isEqualTo(DeliveryResult.delivered());
            send(transport, events);
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(8)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            answers.await(60_001);
        }
        try (TopicReader reader = new TopicReader(broker().bootstrapServers(), topic)) {
            Map<String, Set<Integer>> partitions = new HashMap<>();
            reader.await(60_001)
                    .forEach(record -> partitions
                            .computeIfAbsent(new String(record.key(), StandardCharsets.UTF_8), key -> new HashSet<>())
                            .add(record.partition()));
            assertThat(partitions.values())
                    .hasSize(5)
                    .allSatisfy(of -> assertThat(of).hasSize(1));
        }
    }

    @Test
    void whoAllowsMoreRequestsHasOneEntryOfAKeyOnItsWay() {
        try (KafkaTransport transport = open(config().withProperty("max.in.flight.requests.per.connection", "5"))) {
            assertThat(transport.keepsOrder()).isFalse();
        }
    }

    /** Every producer is stopped again and again, with records of all keys on their way. */
    @Test
    void aRelayKeepsTheOrderAroundRecordsThatTheTopicRefuses() {
        broker().createTopic(topic, 3, Map.of("max.message.bytes", "20000"));
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        int refused = 0;
        for (int i = 0; i < 6_000; i++) {
            String key = "key-" + i % 40;
            boolean large = i % 173 == 0;
            refused += large ? 1 : 0;
            try (MemoryTransaction transaction = store.begin()) {
                Event event = large
                        ? Event.to(topic).key(key).type("t").payload(TOO_LARGE).build()
                        : small(key, i);
                store.append(transaction, List.of(event), Set.of());
                transaction.commit();
            }
        }
        try (KafkaTransport transport = open(config().withProperty("batch.size", NO_BATCHES));
                Relay relay = Relay.builder(store)
                        .route(topic, Route.to(transport).withDeadLetters(DeadLetterPolicy.SKIP))
                        .build()
                        .start()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> relay.status().delivered() + relay.status().deadLetters() >= 6_000);
            assertThat(relay.status().deadLetters()).isEqualTo(refused);
        }
        Map<String, List<Integer>> arrived = arrived(6_000 - refused);
        assertThat(arrived).hasSize(40);
        assertThat(arrived.values().stream()
                        .mapToInt(numbers -> new LinkedHashSet<>(numbers).size())
                        .sum())
                .isEqualTo(6_000 - refused);
        // What was on its way when the producer was stopped may have come twice: it counts when it came first.
        assertThat(arrived.values())
                .allSatisfy(numbers ->
                        assertThat(List.copyOf(new LinkedHashSet<>(numbers))).isSorted());
    }

    private void send(KafkaTransport transport, List<Event> events) {
        transport.send(events.stream().map(answers::delivery).toList(), answers);
    }

    private Event small(String key, int number) {
        return Event.to(topic).key(key).type("t").json(String.valueOf(number)).build();
    }

    /** The numbers that have arrived, by key, when there are so many at least. */
    private Map<String, List<Integer>> arrived(int atLeast) {
        Map<String, List<Integer>> numbers = new HashMap<>();
        try (TopicReader reader = new TopicReader(broker().bootstrapServers(), topic)) {
            for (ConsumerRecord<byte[], byte[]> one : reader.await(atLeast)) {
                Event event = KafkaHeaders.read(one).event();
                numbers.computeIfAbsent(String.valueOf(event.key()), key -> new ArrayList<>())
                        .add(Integer.valueOf(event.payload().utf8()));
            }
        }
        return numbers;
    }

    private static KafkaTransport open(KafkaTransportConfig config) {
        return KafkaTransport.create(config);
    }

    private static KafkaTransportConfig config() {
        return KafkaTransportConfig.of(broker().bootstrapServers());
    }

    private static KafkaBroker broker() {
        return Objects.requireNonNull(broker);
    }
}
