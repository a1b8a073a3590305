package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances come and go, the broker too: every effect once, and those of a key in order. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class KafkaInboxGroupTest {
    private static final int KEYS = 40;

    @TempDir
    Path folder;

    @Test
    void instancesThatComeAndGoHandleEverythingOnceAndInOrder() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                InboxRig rig = new InboxRig(broker, "orders", 6);
                Load load = new Load(rig)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("mailer");
            rig.start(consumer);
            KafkaInboxConsumer second = rig.start(consumer);
            for (int round = 0; round < 4; round++) {
                goesOn(rig);
                second.close();
                goesOn(rig);
                second = rig.start(consumer);
            }
            goesOn(rig);
            List<Event> events = load.end();

            soon().until(() -> rig.tookEffect(events));
            rig.assertOnceAndInOrder(events);
            assertThat(rig.effects()).hasSameSizeAs(events);
            soon().until(() -> rig.committed("mailer") == events.size());
        }
    }

    /** Its handler is still at it when the partition has gone to the other: that one waits for the end of its transaction. */
    @Test
    void aPartitionThatIsTakenAwayFromASlowHandlerKeepsOnceAndOrder() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch begun = new CountDownLatch(1);
        try (KafkaBroker broker = KafkaBroker.start(folder);
                InboxRig rig = new InboxRig(broker, "orders", 1)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("mailer", delivery -> {
                        if (first.getAndSet(false)) {
                            begun.countDown();
                            slow.await();
                        }
                    })
                    .build();
            List<Event> events = rig.publish(3, 1);
            KafkaInboxConsumer leaving = rig.start(
                    rig.config().withPatience(Duration.ofMillis(100)),
                    consumer,
                    new io.micrometer.core.instrument.simple.SimpleMeterRegistry());
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            leaving.close();
            assertThat(rig.effects()).isEmpty();
            rig.start(consumer);
            events.addAll(rig.publish(3, 1));
            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> rig.effects().isEmpty());
            slow.countDown();

            soon().until(() -> rig.tookEffect(events));
            rig.assertOnceAndInOrder(events);
            assertThat(rig.effects()).hasSameSizeAs(events);
        }
    }

    @Test
    void aBrokerThatGoesAndComesBackLosesAndDoublesNothing() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                InboxRig rig = new InboxRig(broker, "orders", 4);
                Load load = new Load(rig)) {
            InboxConsumer<MemoryTransaction> consumer = rig.consumer("mailer");
            rig.start(consumer);
            rig.start(consumer);
            goesOn(rig);
            broker.stop();
            await().pollDelay(Duration.ofSeconds(8))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> true);
            broker.start();
            goesOn(rig);
            List<Event> events = load.end();

            soon().until(() -> rig.tookEffect(events));
            rig.assertOnceAndInOrder(events);
            assertThat(rig.store.deadLetters().count(DeadLetterFilter.all())).isZero();
        }
    }

    @Test
    void aConsumerThatStartsBeforeItsBrokerAndTopicFindsThemLater() throws Exception {
        KafkaBroker broker = KafkaBroker.start(folder);
        try (broker;
                InboxRig rig = new InboxRig(broker, "orders", 1)) {
            broker.stop();
            rig.start(rig.consumer("mailer"));
            broker.start();
            Event event = rig.publish("o-1");

            soon().until(() -> rig.tookEffect(List.of(event)));
        }
    }

    private static void goesOn(InboxRig rig) {
        int before = rig.effects().size();
        soon().until(() -> rig.effects().size() > before + 500);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** Publishes all the time. */
    private static final class Load implements AutoCloseable {
        private final List<Event> published = Collections.synchronizedList(new ArrayList<>());
        private final ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor();

        private final InboxRig rig;

        @SuppressWarnings("FutureReturnValueIgnored")
        Load(InboxRig rig) {
            this.rig = rig;
            publisher.scheduleAtFixedRate(
                    () -> {
                        for (int i = 0; i < 5; i++) {
                            published.add(rig.publish("key-" + published.size() % KEYS));
                        }
                    },
                    0,
                    5,
                    TimeUnit.MILLISECONDS);
        }

        List<Event> end() {
            close();
            rig.flush();
            return List.copyOf(published);
        }

        @Override
        public void close() {
            publisher.shutdown();
            try {
                assertThat(publisher.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
