package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Receipt;
import dev.waybill.resilience.Resilience;
import dev.waybill.resilience.ResilientOperations;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumerSettingsTest {

    @PublishedEvent(destination = "tasks", key = "id")
    record Task(String id) {}

    @PublishedEvent(destination = "jobs", key = "id")
    record Job(String id) {}

    @PublishedEvent(destination = "chores", key = "id")
    record Chore(String id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Log log() {
            return new Log();
        }

        @Bean
        @Lazy
        Workers workers(Log log) {
            return new Workers(log);
        }

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        HandlerInterceptor inner(Log log) {
            return log.interceptor("inner");
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        HandlerInterceptor outer(Log log) {
            return log.interceptor("outer");
        }
    }

    /** What happened in this context. */
    static final class Log {
        final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
        final Queue<String> around = new ConcurrentLinkedQueue<>();
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final CountDownLatch full = new CountDownLatch(2);
        volatile boolean fails = true;

        int call(String name) {
            return calls.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
        }

        int callsOf(String name) {
            return calls.getOrDefault(name, new AtomicInteger()).get();
        }

        HandlerInterceptor interceptor(String name) {
            return (consumer, delivery, attempt) -> {
                if (delivery.event().type().equals("Job")) {
                    boolean transaction = TransactionSynchronizationManager.isActualTransactionActive();
                    around.add(name + " " + consumer + " " + transaction);
                }
                attempt.run();
            };
        }
    }

    static class Workers {
        private final Log log;

        Workers(Log log) {
            this.log = log;
        }

        @EventHandler(consumer = "quick")
        void quick(Task task) throws InterruptedException {
            log.most.accumulateAndGet(log.running.incrementAndGet(), Math::max);
            log.full.countDown();
            // Nobody leaves before as many as may are here.
            log.full.await(5, TimeUnit.SECONDS);
            log.running.decrementAndGet();
        }

        @EventHandler(consumer = "patient")
        void patient(Job job) {
            log.call("patient " + job.id());
            if (log.fails) {
                throw new IllegalStateException("not yet");
            }
        }

        @EventHandler(consumer = "hasty")
        void hasty(Job job) {
            log.call("hasty " + job.id());
            throw new IllegalStateException("never");
        }

        @EventHandler(consumer = "fragile")
        void fragile(Chore chore) {
            log.call("fragile");
            throw new IllegalStateException("everything is down");
        }

        @EventHandler(consumer = "away")
        void away(Job job) {
            log.call("away " + job.id());
        }
    }

    private @Nullable RunningApp running;

    @BeforeAll
    void start() {
        running = RunningApp.onH2(
                App.class,
                "waybill.inbox.threads=2",
                "waybill.inbox.table-prefix=pigeonhole_",
                "waybill.inbox.max-attempts=4",
                "waybill.consumers.hasty.max-attempts=2",
                "waybill.consumers.hasty.first-wait=1ms",
                "waybill.consumers.hasty.longest-wait=2ms",
                "waybill.consumers.away.enabled=false",
                "waybill.resilience.instances.fragile.breaker.window-size=2",
                "waybill.resilience.instances.fragile.breaker.minimum-calls=2",
                "waybill.resilience.instances.fragile.breaker.open-time=1h",
                "waybill.consumers.quick.unknown-types=ignore");
    }

    @AfterAll
    void stop() {
        app().close();
    }

    private RunningApp app() {
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    private Log log() {
        return app().bean(Log.class);
    }

    private InboxConsumer<Connection> consumer(String name) {
        return app().bean(Consumers.class).all().stream()
                .filter(consumer -> consumer.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Setting({
        "waybill.inbox.max-attempts",
        "waybill.consumers.*.max-attempts",
        "waybill.consumers.*.first-wait",
        "waybill.consumers.*.longest-wait",
        "waybill.consumers.*.enabled",
        "waybill.inbox.table-prefix"
    })
    void eachConsumerTriesAsOftenAsItsSettingsSayAndOneThatIsSwitchedOffNotAtAll() {
        app().publish(new Job("j1"));
        await().untilAsserted(() -> assertThat(app().unhandled())
                .extracting(letter -> letter.consumer().orElse(""))
                .contains("hasty", "patient"));
        assertThat(log().callsOf("hasty j1")).isEqualTo(2);
        assertThat(log().callsOf("patient j1")).isEqualTo(4);
        assertThat(log().callsOf("away j1")).isZero();
        // What it would have handled waits, and is not lost.
        assertThat(app().jdbc()
                        .queryForList(
                                "SELECT destination FROM pigeonhole_outbox WHERE destination = 'away'", String.class))
                .hasSize(1);
        assertThat(app().bean(Consumers.class).all())
                .extracting(InboxConsumer::name)
                .containsExactly("fragile", "hasty", "patient", "quick");
        assertThat(log().around).startsWith("outer hasty true", "inner hasty true");
    }

    @Test
    @Setting("waybill.inbox.threads")
    void noMoreHandlersRunAtATimeThanThereAreThreads() {
        for (int i = 0; i < 6; i++) {
            app().publish(new Task("t" + i));
        }
        await().until(() -> log().full.getCount() == 0);
        await().until(() -> log().running.get() == 0);
        assertThat(log().most).hasValue(2);
    }

    @Test
    @Setting("waybill.consumers.*.unknown-types")
    void anEventThatAConsumerHasNoHandlerForIsPassedOverIfTheSettingsSaySo() {
        Delivery unknown = new Delivery(
                Event.to("tasks").type("Unheard").payload(new byte[0]).build(), 1, 1, 0, 1);
        assertThat(consumer("quick").accept(unknown).kind()).isEqualTo(Receipt.Kind.IGNORED);
        assertThat(consumer("hasty").accept(unknown).kind()).isEqualTo(Receipt.Kind.DEAD);
    }

    @Test
    void anOpenBreakerHoldsAConsumerBackAndItsEventsWait() {
        for (int i = 0; i < 5; i++) {
            app().publish(new Chore("c" + i));
        }
        await().untilAsserted(() -> assertThat(app().jdbc()
                        .queryForList(
                                "SELECT destination FROM pigeonhole_outbox WHERE destination = 'fragile'",
                                String.class))
                .hasSize(5));
        assertThat(log().callsOf("fragile")).isBetween(2, 3);
        assertThat(app().unhandled())
                .extracting(letter -> letter.consumer().orElse(""))
                .doesNotContain("fragile");
    }

    @Test
    void breakersAreThereForTheApplicationToo() {
        assertThat(app().bean(ResilientOperations.class).execute("call", () -> "answer"))
                .isEqualTo("answer");
        assertThat(app().bean(Resilience.class).guard()).isNotNull();
    }

    @Test
    void settingsOfAConsumerThatDoesNotExistFailTheStartAndNameTheNearest() {
        assertThatThrownBy(() -> RunningApp.onH2(App.class, "waybill.consumers.hastey.max-attempts=2"))
                .hasStackTraceContaining("waybill.consumers.hastey")
                .hasStackTraceContaining("Did you mean waybill.consumers.hasty?");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Apart {
        @EventHandler(consumer = "apart")
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        void on(Job job) {}
    }

    @Test
    void aHandlerWithATransactionOfItsOwnByJakartasAnnotationFailsTheStart() {
        assertThatThrownBy(() -> RunningApp.onH2(Apart.class))
                .hasStackTraceContaining("@Transactional with REQUIRES_NEW");
    }

    @Test
    void topicsWithoutKafkaFailTheStart() {
        assertThatThrownBy(() -> RunningApp.onH2(App.class, "waybill.consumers.hasty.topics=jobs"))
                .hasStackTraceContaining("waybill.consumers.hasty.topics")
                .hasStackTraceContaining("waybill.kafka.bootstrap-servers");
    }

    @Test
    @Setting({"waybill.inbox.retention", "waybill.inbox.redelivery-age"})
    void anInboxThatWouldForgetTooEarlyFailsTheStart() {
        assertThatThrownBy(() -> RunningApp.onH2(App.class, "waybill.inbox.retention=6d"))
                .hasStackTraceContaining("remembers events for PT144H");
        assertThatThrownBy(() -> RunningApp.onH2(App.class, "waybill.inbox.redelivery-age=9d"))
                .hasStackTraceContaining("up to PT216H");
    }

    @Test
    @Setting("waybill.inbox.enabled")
    void withoutTheInboxNoHandlerIsLookedFor() {
        try (RunningApp without = RunningApp.onH2(App.class, "waybill.inbox.enabled=false")) {
            assertThat(without.bean(Consumers.class).all()).isEmpty();
            assertThat(without.bean(Consumers.class).siding()).isEmpty();
            assertThat(without.deliver(
                            Event.to("jobs").type("Job").payload(new byte[0]).build()))
                    .isInstanceOfSatisfying(
                            DeliveryResult.Retry.class,
                            result -> assertThat(result.reason()).contains("No @EventHandler"));
            assertThat(without.jdbc()
                            .queryForList(
                                    "SELECT table_name FROM information_schema.tables WHERE lower(table_name) LIKE"
                                            + " 'waybill_inbox_%'",
                                    String.class))
                    .isEqualTo(List.of());
        }
    }
}
