package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.operations.BacklogMeters;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.Housekeeping;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ShardSet;
import dev.waybill.store.StoreException;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Makes every meter of docs/metrics.md move, one test for each; the display name of a test is the meter's name. */
class MetersTest {
    private static final Signature TESTER = Signature.of("tester", "");
    private static final OrderKey KEY = new OrderKey("orders", "k");

    private final Clock clock = new Clock();
    private final MemoryOutboxStore store = new MemoryOutboxStore(clock, Duration.ofHours(1));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TransactionalOutbox<MemoryTransaction> outbox =
            new TransactionalOutbox<>(store, OutboxConfig.defaults(), registry);
    private final Answering transport = new Answering();
    private boolean storeFails;
    private final RelayAgent relay = new RelayAgent(
            UUID.randomUUID(),
            unreliable(),
            Routes.builder()
                    .route(
                            "orders",
                            Route.to(transport)
                                    .withRetry(new RetryPolicy(2, Duration.ofMillis(10), Duration.ofMillis(20))))
                    .build(),
            RelayConfig.defaults(),
            clock::nanos,
            new SplittableRandom(1),
            registry,
            Runnable::run);
    private final BacklogMeters backlog = new BacklogMeters(store.operations(), registry);

    @Test
    @DisplayName("outbox.entries.written")
    void written() {
        publish(2);
        assertThat(registry.get("outbox.entries.written")
                        .tag("destination", "orders")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("outbox.entries.claimed")
    void claimed() {
        transport.result = null;
        publish(3);
        work();
        assertThat(counter("outbox.entries.claimed")).isEqualTo(3);
    }

    @Test
    @DisplayName("outbox.entries.delivered")
    void delivered() {
        publish(3);
        work();
        assertThat(counter("outbox.entries.delivered")).isEqualTo(3);
    }

    @Test
    @DisplayName("outbox.entries.failed")
    void failed() {
        transport.result = DeliveryResult.retry("not now");
        publish(1);
        work();
        assertThat(registry.get("outbox.entries.failed")
                        .tag("outcome", "retry")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("outbox.entries.failed")
                        .tag("outcome", "dead")
                        .counter()
                        .count())
                .isZero();
        pass(Duration.ofSeconds(1));
        work();
        assertThat(registry.get("outbox.entries.failed")
                        .tag("outcome", "dead")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.delivery.attempts")
    void attempts() {
        transport.result = DeliveryResult.retry("not now");
        publish(1);
        work();
        pass(Duration.ofSeconds(1));
        work();
        assertThat(counter("outbox.delivery.attempts")).isEqualTo(2);
    }

    @Test
    @DisplayName("outbox.publish.duration")
    void publishDuration() {
        transport.result = null;
        publish(2);
        work();
        pass(Duration.ofMillis(250));
        transport.answer(0, DeliveryResult.delivered());
        transport.answer(1, DeliveryResult.rejected("no"));
        work();
        assertThat(seconds("outbox.publish.duration", "result", "delivered")).isCloseTo(0.25, within(0.01));
        assertThat(seconds("outbox.publish.duration", "result", "rejected")).isCloseTo(0.25, within(0.01));
        publish(2);
        work();
        transport.answer(2, DeliveryResult.unavailable("down"));
        pass(RelayConfig.defaults().deliveryTimeout());
        work();
        assertThat(count("outbox.publish.duration", "result", "unavailable")).isEqualTo(1);
        assertThat(count("outbox.publish.duration", "result", "timeout")).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.fetch.duration")
    void fetchDuration() {
        publish(1);
        work();
        assertThat(registry.get("outbox.fetch.duration").timer().count()).isPositive();
    }

    @Test
    @DisplayName("outbox.settle.duration")
    void settleDuration() {
        work();
        assertThat(registry.get("outbox.settle.duration").timer().count()).isZero();
        publish(1);
        work();
        assertThat(registry.get("outbox.settle.duration").timer().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.store.failures")
    void storeFailures() {
        work();
        storeFails = true;
        publish(1);
        relay.wakeUp(ShardSet.ALL);
        relay.doWork();
        assertThat(registry.get("outbox.store.failures").counter().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.shards.owned")
    void shardsOwned() {
        RelayMeters.bind(relay, registry);
        assertThat(gauge("outbox.shards.owned")).isZero();
        work();
        assertThat(gauge("outbox.shards.owned")).isEqualTo(64);
    }

    @Test
    @DisplayName("outbox.window.used")
    void windowUsed() {
        RelayMeters.bind(relay, registry);
        transport.result = null;
        publish(5);
        work();
        assertThat(gauge("outbox.window.used")).isEqualTo(5);
    }

    @Test
    @DisplayName("outbox.destinations.unavailable")
    void destinationsUnavailable() {
        RelayMeters.bind(relay, registry);
        transport.result = DeliveryResult.unavailable("down");
        publish(1);
        work();
        assertThat(gauge("outbox.destinations.unavailable")).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.leases.lost")
    void leasesLost() {
        RelayMeters.bind(relay, registry);
        work();
        pass(Duration.ofMinutes(1));
        assertThat(store.take(UUID.randomUUID(), 64, Duration.ofMinutes(5))).hasSize(64);
        work();
        assertThat(registry.get("outbox.leases.lost").functionCounter().count()).isEqualTo(64);
    }

    @Test
    @DisplayName("outbox.entries.pending")
    void pending() {
        publish(4);
        backlog.sample();
        assertThat(gauge("outbox.entries.pending")).isEqualTo(4);
        work();
        backlog.sample();
        assertThat(registry.find("outbox.entries.pending").gauges())
                .allSatisfy(one -> assertThat(one.value()).isZero());
    }

    @Test
    @DisplayName("outbox.entries.oldest.age")
    void oldestAge() {
        publish(1);
        pass(Duration.ofSeconds(90));
        publish(1);
        backlog.sample();
        assertThat(gauge("outbox.entries.oldest.age")).isCloseTo(90, within(1.0));
    }

    @Test
    @DisplayName("outbox.dead.letters")
    void deadLetters() {
        transport.result = DeliveryResult.rejected("broken");
        publish(1);
        work();
        backlog.sample();
        assertThat(gauge("outbox.dead.letters")).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.entries.waiting")
    void waiting() {
        parkWithTwoBehind();
        assertThat(gauge("outbox.entries.waiting")).isEqualTo(2);
    }

    @Test
    @DisplayName("outbox.keys.parked")
    void keysParked() {
        parkWithTwoBehind();
        assertThat(gauge("outbox.keys.parked")).isEqualTo(1);
    }

    @Test
    @DisplayName("outbox.destinations.paused")
    void destinationsPaused() {
        store.operations().pauseDestination("orders", TESTER);
        backlog.sample();
        assertThat(gauge("outbox.destinations.paused")).isEqualTo(1);
        store.operations().resumeDestination("orders", TESTER);
        backlog.sample();
        assertThat(registry.find("outbox.destinations.paused").gauges())
                .allSatisfy(one -> assertThat(one.value()).isZero());
    }

    @Test
    @DisplayName("outbox.replay.entries")
    void replayed() {
        publish(3);
        work();
        pass(Duration.ofSeconds(10));
        ReplayFilter all = ReplayFilter.between(clock.instant().minusSeconds(3600), clock.instant());
        store.replays().start(UUID.randomUUID(), all, 1000, TESTER);
        keepHouse(store);
        assertThat(registry.get("outbox.replay.entries").counter().count()).isEqualTo(3);
    }

    @Test
    @DisplayName("outbox.history.removed")
    void removed() {
        publish(3);
        work();
        pass(Duration.ofHours(2));
        keepHouse(store);
        assertThat(registry.get("outbox.history.removed").counter().count()).isEqualTo(3);
    }

    @Test
    @DisplayName("outbox.housekeeping.failures")
    void housekeepingFailures() {
        storeFails = true;
        keepHouse(unreliable());
        assertThat(registry.get("outbox.housekeeping.failures").counter().count())
                .isPositive();
    }

    @Test
    void theDocumentedTableIsWhatIsTestedHere() throws Exception {
        Set<String> tested = Arrays.stream(MetersTest.class.getDeclaredMethods())
                .map(method -> method.getAnnotation(DisplayName.class))
                .filter(name -> name != null)
                .map(DisplayName::value)
                .collect(Collectors.toCollection(TreeSet::new));
        Matcher rows = Pattern.compile("^\\| `(outbox\\.[a-z.]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
        Set<String> documented = new TreeSet<>();
        while (rows.find()) {
            documented.add(rows.group(1));
        }
        assertThat(documented).isEqualTo(tested);
    }

    private void parkWithTwoBehind() {
        transport.result = DeliveryResult.rejected("broken");
        publish(List.of(keyed(), keyed(), keyed()));
        work();
        backlog.sample();
    }

    private static Event keyed() {
        return Event.to(KEY.destination()).key(KEY.key()).type("tested").build();
    }

    private void publish(int events) {
        publish(java.util.stream.IntStream.range(0, events)
                .mapToObj(i -> Event.to("orders")
                        .type("tested")
                        .occurredAt(clock.instant())
                        .build())
                .toList());
    }

    private void publish(List<Event> events) {
        try (MemoryTransaction transaction = store.begin()) {
            outbox.on(transaction).publishAll(events);
            transaction.commit();
        }
    }

    private void work() {
        relay.wakeUp(ShardSet.ALL);
        for (int idle = 0; idle < 3; ) {
            idle = relay.doWork() == 0 ? idle + 1 : 0;
        }
    }

    private void keepHouse(Housekeeping of) {
        Housekeeper housekeeper = new Housekeeper(of, null, registry, clock::nanos);
        for (int i = 0; i < 100; i++) {
            housekeeper.doWork();
            pass(Duration.ofMillis(20));
        }
    }

    private void pass(Duration time) {
        clock.now = clock.now.plus(time);
    }

    private double counter(String name) {
        return registry.get(name).tag("destination", "orders").counter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double seconds(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).timer().totalTime(TimeUnit.SECONDS);
    }

    private long count(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).timer().count();
    }

    private OutboxStore unreliable() {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (storeFails) {
                        throw new StoreException("out of reach", null);
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** Time that a test moves. */
    private static final class Clock implements InstantSource {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        long nanos() {
            return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        }
    }

    /** Answers at once with the same result, or later by hand. */
    private static final class Answering implements Transport {
        private @org.jspecify.annotations.Nullable DeliveryResult result = DeliveryResult.delivered();
        private final List<Delivery> sent = new java.util.ArrayList<>();
        private @org.jspecify.annotations.Nullable DeliveryListener listener;

        @Override
        public void send(List<Delivery> batch, DeliveryListener answers) {
            listener = answers;
            sent.addAll(batch);
            if (result != null) {
                batch.forEach(delivery -> answers.onResult(delivery, result));
            }
        }

        void answer(int index, DeliveryResult answer) {
            java.util.Objects.requireNonNull(listener).onResult(sent.get(index), answer);
        }

        @Override
        public void close() {}
    }
}
