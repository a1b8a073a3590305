package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One consumer and a real broker. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KafkaInboxConsumerTest {
    @TempDir
    static Path folder;

    private static KafkaBroker broker;

    @BeforeAll
    static void start() {
        broker = KafkaBroker.start(folder);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void twoConsumersOfOneEventBothHandleIt() throws Exception {
        try (InboxRig rig = new InboxRig(broker, "both", 1)) {
            rig.start(rig.consumer("mailer"));
            rig.start(rig.consumer("biller"));
            Event event = rig.publish("o-1");

            soon().until(() -> rig.effects().size() == 2);
            Event first = rig.effects().get(0);
            assertThat(rig.effectIds()).containsExactly(event.id(), event.id());
            assertThat(first.headers()).containsEntry(EventHeaders.SOURCE, "/shop/orders");
            assertThat(first.payload()).isEqualTo(event.payload());
        }
    }

    @Test
    void whatWasTakenIsCommittedSoonAndAConsumerThatEndsGoesOnWhereItWas() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (InboxRig rig = new InboxRig(broker, "continued", 3)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("goer-on", delivery -> handled.incrementAndGet())
                    .build();
            List<Event> events = rig.publish(5_000, 50);
            KafkaInboxConsumer first = rig.start(consumer);
            soon().until(() -> rig.effects().size() > 500);
            first.close();
            int before = rig.effects().size();
            assertThat(rig.committed("goer-on")).isPositive().isLessThanOrEqualTo(before);

            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            KafkaInboxConsumer second = rig.start(rig.config(), consumer, registry);
            soon().until(() -> rig.tookEffect(events));
            soon().until(() -> rig.committed("goer-on") == 5_000);
            assertThat(registry.get("inbox.kafka.partitions").gauge().value()).isEqualTo(3);
            assertThat(registry.get("inbox.kafka.in.flight").gauge().value()).isZero();
            assertThat(registry.get("inbox.kafka.paused").gauge().value()).isZero();
            soon().until(() -> registry.get("inbox.kafka.lag").gauge().value() == 0);
            second.close();
            assertThat(registry.getMeters()).isEmpty();
            // Nothing came a second time.
            assertThat(handled).hasValue(5_000);
            rig.assertOnceAndInOrder(events);
        }
    }

    @Test
    void whatIsReadAgainFromTheBeginningTakesNoEffectAgain() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (InboxRig rig = new InboxRig(broker, "rewound", 2)) {
            InboxConsumer<MemoryTransaction> consumer =
                    rig.consumer("rewinder", delivery -> {}).metrics(registry).build();
            List<Event> events = rig.publish(1_000, 20);
            KafkaInboxConsumer first = rig.start(consumer);
            soon().until(() -> rig.tookEffect(events));
            first.close();
            rig.rewind("rewinder", 2);
            assertThat(rig.committed("rewinder")).isZero();
            KafkaInboxConsumer second = rig.start(consumer);
            Event last = rig.publish("last");
            soon().until(() -> rig.tookEffect(List.of(last)) && rig.committed("rewinder") == 1_001);
            rig.assertOnceAndInOrder(events);
            second.close();
            // They were found in the statement for a whole poll, not one by one.
            assertThat(registry.get("idempotency.checks")
                            .tag("result", "hit")
                            .counter()
                            .count())
                    .isEqualTo(1_000);
            assertThat(registry.get("inbox.events")
                            .tag("result", "duplicate")
                            .counter()
                            .count())
                    .isZero();
        }
    }

    @Test
    void whatFailsGoesAsideWithTheRestOfItsKeyAndOtherKeysAreNotHeld() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (InboxRig rig = new InboxRig(broker, "aside", 1)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("stumbler", delivery -> {
                        if (broken.get() && "bad".equals(delivery.event().key())) {
                            throw new IllegalStateException("not now");
                        }
                    })
                    .build();
            List<Event> bad = new ArrayList<>();
            List<Event> good = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                bad.add(rig.publish("bad"));
                good.add(rig.publish("good"));
            }
            KafkaInboxConsumer kafka = rig.start(consumer);
            soon().until(() -> rig.tookEffect(good) && rig.committed("stumbler") == 100);
            assertThat(rig.effects()).hasSize(50);
            broken.set(false);
            Relay relay = rig.retry(consumer);
            soon().until(() -> rig.tookEffect(bad));
            bad.add(rig.publish("bad"));
            soon().until(() -> rig.tookEffect(bad));
            relay.close();
            kafka.close();
            List<Event> all = new ArrayList<>(bad);
            all.addAll(good);
            rig.assertOnceAndInOrder(all);
        }
    }

    @Test
    void anOpenGuardPausesAndNothingBecomesADeadLetter() throws Exception {
        AtomicBoolean open = new AtomicBoolean(true);
        AtomicInteger asked = new AtomicInteger();
        try (InboxRig rig = new InboxRig(broker, "guarded", 2)) {
            InboxConsumer<MemoryTransaction> consumer = rig.guarded("fuse", (name, attempt) -> {
                asked.incrementAndGet();
                if (open.get()) {
                    throw new DeferredException("The breaker is open.", Duration.ofMillis(200));
                }
                attempt.run();
            });
            List<Event> events = rig.publish(2_000, 100);
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            KafkaInboxConsumer kafka = rig.start(rig.config(), consumer, registry);
            soon().until(() -> asked.get() >= 8 + 4);
            assertThat(kafka.isHeldBack()).isTrue();
            assertThat(registry.get("inbox.kafka.paused").gauge().value()).isOne();
            int before = asked.get();
            long start = System.nanoTime();
            soon().until(() -> asked.get() >= before + 5);
            // One at a time, 200 ms apart: it does not spin.
            assertThat(System.nanoTime() - start)
                    .isGreaterThan(Duration.ofMillis(700).toNanos());
            assertThat(rig.effects()).isEmpty();

            open.set(false);
            soon().until(() -> rig.tookEffect(events));
            assertThat(kafka.isHeldBack()).isFalse();
            kafka.close();
            rig.assertOnceAndInOrder(events);
            assertThat(rig.store.deadLetters().count(DeadLetterFilter.all())).isZero();
            assertThat(rig.store.countPending(10)).isZero();
        }
    }

    @Test
    void aStoreThatFailsIsWaitedForAndNothingIsLost() throws Exception {
        try (InboxRig rig = new InboxRig(broker, "outage", 2)) {
            FailingInbox store = new FailingInbox(rig.store.inbox());
            InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("unlucky", store.proxy())
                    .on(
                            "OrderPlaced",
                            (transaction, delivery) -> transaction.onCommit(() -> rig.record(delivery.event())))
                    .build();
            KafkaInboxConsumer kafka = rig.start(consumer);
            store.fail(true);
            List<Event> events = rig.publish(2_000, 20);
            soon().until(() -> store.failures() > 5 && kafka.isHeldBack());
            store.fail(false);
            soon().until(() -> rig.effects().size() > 200);
            store.fail(true);
            int before = store.failures();
            soon().until(() -> store.failures() > before + 5);
            store.fail(false);
            soon().until(() -> rig.tookEffect(events));
            rig.assertOnceAndInOrder(events);
            soon().until(() -> !kafka.isHeldBack());
            kafka.close();
            assertThat(rig.store.deadLetters().count(DeadLetterFilter.all())).isZero();
        }
    }

    @Test
    void whateverTheConsumerThrowsTheEventIsGivenAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (InboxRig rig = new InboxRig(broker, "surprise", 1)) {
            InboxConsumer<MemoryTransaction> consumer = rig.guarded("surprised", (name, attempt) -> {
                if (calls.incrementAndGet() <= 2) {
                    throw new UnknownError("as planned");
                }
                attempt.run();
            });
            KafkaInboxConsumer kafka = rig.start(consumer);
            List<Event> events = rig.publish(10, 1);
            soon().until(() -> rig.tookEffect(events));
            rig.assertOnceAndInOrder(events);
            kafka.close();
        }
    }

    @Test
    void aSlowHandlerDoesNotCostTheMembership() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        Map<String, Integer> tries = new ConcurrentHashMap<>();
        try (InboxRig rig = new InboxRig(broker, "slow", 1)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("sleeper", delivery -> {
                        tries.merge(delivery.event().id().toString(), 1, Integer::sum);
                        if ("slow".equals(delivery.event().key())) {
                            slow.await();
                        }
                    })
                    .build();
            Event first = rig.publish("slow");
            List<Event> others = rig.publish(100, 10);
            KafkaConsumerConfig config = rig.config()
                    .withPatience(Duration.ofSeconds(1))
                    .withMaxInFlight(8)
                    .withProperty("session.timeout.ms", "6000")
                    .withProperty("max.poll.interval.ms", "6000");
            KafkaInboxConsumer kafka = rig.start(config, consumer, new SimpleMeterRegistry());
            soon().until(() -> rig.tookEffect(others));
            await().pollDelay(Duration.ofSeconds(8))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> true);
            slow.countDown();
            soon().until(() -> rig.tookEffect(List.of(first)) && rig.committed("sleeper") == 101);
            kafka.close();
            assertThat(tries.values()).containsOnly(1);
        }
    }

    @Test
    void anEventOfAnUnknownTypeIsADeadLetterThatSaysWhereItIsFrom() throws Exception {
        try (InboxRig rig = new InboxRig(broker, "unknown", 1)) {
            rig.start(rig.consumer("stranger"));
            Event strange = Event.to(rig.topic()).key("o-1").type("Unheard").build();
            rig.publish(strange);

            soon().until(() -> rig.store.deadLetters().count(DeadLetterFilter.all()) == 1);
            DeadLetter letter =
                    rig.store.deadLetters().list(DeadLetterFilter.all(), 0, 1).get(0);
            assertThat(letter.sourceService()).contains("/shop/orders");
            assertThat(letter.consumer()).contains("stranger");
            assertThat(letter.publishedTo()).isEqualTo(rig.topic());
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(20));
    }
}
