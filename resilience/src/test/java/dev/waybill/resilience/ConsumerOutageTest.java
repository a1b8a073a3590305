package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A breaker before a real consumer: an outage of what its handlers call makes no dead letter. */
class ConsumerOutageTest {
    private static final int EVENTS = 20;

    @Test
    void anOutageMakesNoDeadLetterHoweverOftenTheBreakerTries() {
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        ExecutorService executor = Executors.newFixedThreadPool(2);
        List<String> effects = new CopyOnWriteArrayList<>();
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        try (Rig rig = new Rig()) {
            InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named(NAME, store.inbox())
                    .on("OrderPlaced", (transaction, delivery) -> {
                        calls.incrementAndGet();
                        if (down.get()) {
                            throw new IllegalStateException("down");
                        }
                        transaction.onCommit(() ->
                                effects.add(String.valueOf(delivery.event().key())));
                    })
                    .guard(rig.operations.guard())
                    .config(InboxConfig.defaults().withRetry(rig.operations.retryPolicy(NAME)))
                    .build();
            for (int i = 0; i < EVENTS; i++) {
                Delivery delivery = delivery("k" + i);
                if (!consumer.accept(delivery).isTaken()) {
                    consumer.putAside(delivery);
                }
            }
            assertThat(rig.is("open")).isTrue();
            try (Relay relay = SidingRelay.start(store, executor, consumer)) {
                for (int probes = 0; probes < 5; probes++) {
                    int before = calls.get();
                    rig.clock.advance(Duration.ofSeconds(10));
                    await().atMost(Duration.ofSeconds(30)).until(() -> calls.get() > before);
                }
                assertThat(store.deadLetters().count(DeadLetterFilter.all())).isZero();
                down.set(false);
                relay.wakeUp();

                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    rig.clock.advance(Duration.ofSeconds(10));
                    return effects.size() >= EVENTS;
                });
            }
            assertThat(effects).doesNotHaveDuplicates().hasSize(EVENTS);
            assertThat(store.deadLetters().count(DeadLetterFilter.all())).isZero();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void anEventThatAlwaysFailsDoesNotKeepTheBreakerFromTryingOthers() {
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        ExecutorService executor = Executors.newFixedThreadPool(2);
        List<String> effects = new CopyOnWriteArrayList<>();
        AtomicBoolean down = new AtomicBoolean(true);
        try (Rig rig = new Rig()) {
            InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named(NAME, store.inbox())
                    .on("OrderPlaced", (transaction, delivery) -> {
                        if (down.get() || "k0".equals(delivery.event().key())) {
                            throw new IllegalStateException("down, or a bug");
                        }
                        transaction.onCommit(() ->
                                effects.add(String.valueOf(delivery.event().key())));
                    })
                    .guard(rig.operations.guard())
                    .config(InboxConfig.defaults().withRetry(rig.operations.retryPolicy(NAME)))
                    .build();
            for (int i = 0; i < EVENTS; i++) {
                Delivery delivery = delivery("k" + i);
                if (!consumer.accept(delivery).isTaken()) {
                    consumer.putAside(delivery);
                }
            }
            assertThat(rig.is("open")).isTrue();
            down.set(false);
            try (Relay relay = SidingRelay.start(store, executor, consumer)) {
                relay.wakeUp();
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    rig.clock.advance(Duration.ofSeconds(10));
                    return effects.size() == EVENTS - 1 && store.deadLetters().count(DeadLetterFilter.all()) == 1;
                });
            }
            assertThat(effects).doesNotHaveDuplicates().doesNotContain("k0");
        } finally {
            executor.shutdownNow();
        }
    }

    private static Delivery delivery(String key) {
        return new Delivery(Event.to("orders").key(key).type("OrderPlaced").build(), 1, 1, 0, 0);
    }
}
