package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker's topic to publish to, and a store with the effects that consumers have in its transactions. Thread-safe. */
final class InboxRig implements AutoCloseable {
    final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
    private final List<Event> effects = Collections.synchronizedList(new ArrayList<>());

    private final List<Runnable> running = new ArrayList<>();
    private final KafkaBroker broker;
    private final KafkaProducer<byte @Nullable [], byte @Nullable []> producer;
    private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sequence = new AtomicLong();

    private final String topic;

    InboxRig(KafkaBroker broker, String topic, int partitions) {
        this.broker = broker;
        this.topic = topic;
        broker.createTopic(topic, partitions);
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "delivery.timeout.ms", "60000"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    String topic() {
        return topic;
    }

    KafkaConsumerConfig config() {
        return KafkaConsumerConfig.of(broker.bootstrapServers(), topic)
                .withProperty("session.timeout.ms", "6000")
                .withProperty("heartbeat.interval.ms", "500")
                .withPatience(Duration.ofSeconds(5));
    }

    /** Starts to read; ended with this rig at the latest. */
    KafkaInboxConsumer start(InboxConsumer<?> consumer) {
        return start(config(), consumer, new SimpleMeterRegistry());
    }

    KafkaInboxConsumer start(KafkaConsumerConfig config, InboxConsumer<?> consumer, MeterRegistry registry) {
        KafkaInboxConsumer started = KafkaInboxConsumer.start(config, consumer, registry);
        running.add(started::close);
        return started;
    }

    /** A consumer that records the effect, after a handler of the test. */
    InboxConsumer.Builder<MemoryTransaction> consumer(String name, Handler handler) {
        return InboxConsumer.named(name, store.inbox())
                .on("OrderPlaced", (transaction, delivery) -> {
                    handler.handle(delivery);
                    transaction.onCommit(() -> effects.add(delivery.event()));
                })
                .config(InboxConfig.defaults()
                        .withRetry(new RetryPolicy(3, Duration.ofMillis(20), Duration.ofMillis(50))));
    }

    InboxConsumer<MemoryTransaction> consumer(String name) {
        return consumer(name, delivery -> {}).build();
    }

    InboxConsumer<MemoryTransaction> guarded(String name, HandlerGuard guard) {
        return consumer(name, delivery -> {}).guard(guard).build();
    }

    /** What a test does before the effect. */
    interface Handler {
        void handle(Delivery delivery) throws Exception;
    }

    Event publish(@Nullable String key) {
        Event.Builder event = Event.to(topic).type("OrderPlaced").payload(new byte[] {1});
        if (key != null) {
            event.key(key);
        }
        Event built = event.build();
        publish(built);
        return built;
    }

    /** Publishes as the transport would, in the order of calls. */
    void publish(Event event) {
        Delivery delivery = new Delivery(event, sequence.incrementAndGet(), 1, 0, 0);
        ProducerRecord<byte @Nullable [], byte[]> record =
                new RecordWriter("/shop/orders").write(delivery, topic, null);
        send(new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers()));
    }

    List<Event> publish(int count, int keys) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(publish("key-" + i % keys));
        }
        return events;
    }

    void send(ProducerRecord<byte @Nullable [], byte @Nullable []> record) {
        Future<RecordMetadata> unused = producer.send(record, (metadata, failure) -> {
            if (failure != null) {
                failures.add(failure);
            }
        });
    }

    /** Waits until all that was published is in the topic. */
    void flush() {
        producer.flush();
        assertThat(failures).as("what could not be published").isEmpty();
    }

    void record(Event event) {
        effects.add(event);
    }

    /** Each took effect once, and those of a key in the order in which they were published. */
    void assertOnceAndInOrder(List<Event> published) {
        Map<String, List<UUID>> expected = byKey(published);
        Set<UUID> ids = new HashSet<>(published.stream().map(Event::id).toList());
        Map<String, List<UUID>> found = byKey(
                effects().stream().filter(event -> ids.contains(event.id())).toList());
        assertThat(found).isEqualTo(expected);
    }

    private static Map<String, List<UUID>> byKey(List<Event> events) {
        Map<String, List<UUID>> byKey = new TreeMap<>();
        events.forEach(event -> byKey.computeIfAbsent(String.valueOf(event.key()), key -> new ArrayList<>())
                .add(event.id()));
        return byKey;
    }

    /** Committed effects, in the order of their commits. */
    List<Event> effects() {
        return List.copyOf(effects);
    }

    /** The ids of effects; twice if it took effect twice. */
    List<UUID> effectIds() {
        return effects().stream().map(Event::id).toList();
    }

    boolean tookEffect(List<Event> events) {
        Set<UUID> ids = new HashSet<>(effectIds());
        return events.stream().allMatch(event -> ids.contains(event.id()));
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    /** The sum of what the group has committed. */
    long committed(String group) {
        try (Admin admin = admin()) {
            return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().values().stream()
                    .mapToLong(OffsetAndMetadata::offset)
                    .sum();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets what an ended group has committed back to the beginning. */
    void rewind(String group, int partitions) throws Exception {
        try (Admin admin = admin()) {
            Map<TopicPartition, OffsetAndMetadata> beginning = new HashMap<>();
            for (int i = 0; i < partitions; i++) {
                beginning.put(new TopicPartition(topic, i), new OffsetAndMetadata(0));
            }
            admin.alterConsumerGroupOffsets(group, beginning).all().get();
        }
    }

    /** Starts a relay for what a consumer put aside; ended with this rig at the latest. */
    Relay retry(InboxConsumer<?> consumer) {
        Relay relay = Relay.builder(store)
                .route(consumer.name(), consumer.siding(Runnable::run))
                .build()
                .start();
        running.add(relay::close);
        return relay;
    }

    @Override
    public void close() {
        running.forEach(Runnable::run);
        producer.close(Duration.ofSeconds(5));
    }
}
