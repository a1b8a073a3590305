package dev.waybill.testkit.inbox;

import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.event.EventId;
import dev.waybill.event.Payload;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHandler;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.RejectedEventException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A consumer that fails as a test says, the relay of its siding on its own threads, and words for what tests see. */
abstract class ConsumerTestBase<T> extends InboxTestBase<T> {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final InboxConfig QUICK =
            InboxConfig.defaults().withRetry(new RetryPolicy(3, Duration.ofMillis(20), Duration.ofMillis(100)));

    final AtomicBoolean broken = new AtomicBoolean(true);
    final AtomicInteger calls = new AtomicInteger();
    private final Map<String, UUID> ids = new HashMap<>();
    private final List<Relay> relays = new ArrayList<>();
    private ExecutorService threads;

    @BeforeEach
    void startThreads() {
        threads = Executors.newFixedThreadPool(4);
    }

    @Override
    @AfterEach
    void closeFixture() {
        relays.forEach(Relay::close);
        threads.shutdownNow();
        super.closeFixture();
    }

    InboxHandler<T> failsWhileBroken() {
        return (transaction, delivery) -> {
            calls.incrementAndGet();
            if (broken.get()) {
                throw new RejectedEventException("declined");
            }
            fixture.effect(transaction, nameOf(delivery));
        };
    }

    InboxConsumer<T> consumer(InboxHandler<T> handler) {
        return consumer(handler, QUICK);
    }

    InboxConsumer<T> consumer(InboxHandler<T> handler, InboxConfig config) {
        return InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", handler)
                .config(config)
                .build();
    }

    void start(InboxConsumer<?>... consumers) {
        relays.add(SidingRelay.start(fixture.siding(), threads, consumers));
    }

    static DeliveryResult send(InboxTransport transport, Delivery delivery) {
        List<DeliveryResult> results = new ArrayList<>();
        transport.send(List.of(delivery), (same, result) -> results.add(result));
        return results.get(0);
    }

    /** An event whose payload is its name; the same name is the same event. */
    Delivery named(String key, String name) {
        return named(key, name, ids.computeIfAbsent(name, unknown -> EventId.next()));
    }

    static Delivery named(String key, String name, UUID id) {
        return new Delivery(
                Event.to("orders")
                        .id(id)
                        .key(key)
                        .type("OrderPlaced")
                        .header("correlation-id", "c-1")
                        .payload(Payload.utf8(name))
                        .build(),
                7,
                1,
                0,
                0);
    }

    UUID idOf(String name) {
        return Objects.requireNonNull(ids.get(name), name);
    }

    static String nameOf(Delivery delivery) {
        return text(delivery.event().payload().bytes());
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    DeadLetters deadLetters() {
        return fixture.administration().deadLetters();
    }

    List<DeadLetter> letters() {
        return deadLetters().list(DeadLetterFilter.all(), 0, 10);
    }

    DeadLetter awaitLetter() {
        await().atMost(PATIENCE).until(() -> !letters().isEmpty());
        return letters().get(0);
    }

    long resolved() {
        return deadLetters().count(DeadLetterFilter.all().withState(State.RESOLVED));
    }
}
