package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starting and ending: what is under way is finished, nothing is lost or done twice, and no thread stays behind. */
class LifecycleTest {
    private static final String NO_WEB = "spring.main.web-application-type=none";

    /** Of all applications of a test, in the order in which they were made. */
    private static final Queue<Thread> HANDLED_ON = new ConcurrentLinkedQueue<>();

    private final Set<Thread> before = new HashSet<>(waybillThreads());

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderPlaced(String orderId) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Gate gate() {
            return new Gate();
        }

        @Bean
        Orders orders(TypedOutbox outbox, Gate gate) {
            return new Orders(outbox, gate);
        }

        @Bean
        Stock stock(JdbcTemplate jdbc, Gate gate) {
            return new Stock(jdbc, gate);
        }
    }

    /** Holds up the handler and the controller for as long as a test wants. */
    static class Gate {
        volatile CountDownLatch handler = new CountDownLatch(0);
        volatile CountDownLatch request = new CountDownLatch(0);
        final CountDownLatch inHandler = new CountDownLatch(1);
        final CountDownLatch inRequest = new CountDownLatch(1);

        static void await(CountDownLatch latch) {
            try {
                if (!latch.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody opened the gate");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @RestController
    static class Orders {
        private final TypedOutbox outbox;
        private final Gate gate;

        Orders(TypedOutbox outbox, Gate gate) {
            this.outbox = outbox;
            this.gate = gate;
        }

        @PostMapping("/orders/{id}")
        @Transactional
        public String place(@PathVariable("id") String id) {
            gate.inRequest.countDown();
            Gate.await(gate.request);
            outbox.publish(new OrderPlaced(id));
            return id;
        }
    }

    static class Stock {
        private final JdbcTemplate jdbc;
        private final Gate gate;

        Stock(JdbcTemplate jdbc, Gate gate) {
            this.jdbc = jdbc;
            this.gate = gate;
            jdbc.execute("CREATE TABLE IF NOT EXISTS reserved (id VARCHAR(50))");
        }

        @EventHandler(consumer = "stock")
        public void reserve(OrderPlaced placed) {
            HANDLED_ON.add(Thread.currentThread());
            gate.inHandler.countDown();
            Gate.await(gate.handler);
            jdbc.update("INSERT INTO reserved VALUES (?)", placed.orderId());
        }

        List<String> reserved() {
            return jdbc.queryForList("SELECT id FROM reserved ORDER BY id", String.class);
        }
    }

    @BeforeEach
    void forget() {
        HANDLED_ON.clear();
    }

    @Test
    void whatIsUnderWayIsSettledBeforeTheEndAndNotDoneAgain() {
        String database = database();
        WebService service = WebService.start(App.class, NO_WEB, database);
        Gate gate = service.bean(Gate.class);
        gate.handler = new CountDownLatch(1);
        service.bean(Orders.class).place("1");
        Gate.await(gate.inHandler);
        Relays relays = service.bean(Relays.class);

        CompletableFuture<Void> end = CompletableFuture.runAsync(service::close);
        // Close has got as far as the relay, which now waits for the handler.
        await().until(() -> relays.relays().isEmpty());
        assertThat(end).isNotDone();
        gate.handler.countDown();
        end.orTimeout(20, TimeUnit.SECONDS).join();
        requireNoNewThreads();

        try (WebService again = WebService.start(App.class, NO_WEB, database)) {
            again.bean(Orders.class).place("2");
            await().until(() -> again.bean(Stock.class).reserved().equals(List.of("1", "2")));
            OutboxUnit unit = again.bean(OutboxUnit.class);
            await().until(() -> unit.store().operations().statistics().pending() == 0);
            assertThat(HANDLED_ON).as("one call for each order").hasSize(2);
        }
    }

    @Test
    void aRequestThatPublishesDuringTheEndIsAnsweredAndItsEventNotLost() {
        String database = database();
        WebService service = WebService.start(App.class, database, "server.shutdown=graceful");
        Gate gate = service.bean(Gate.class);
        gate.request = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> request =
                CompletableFuture.supplyAsync(() -> service.post("/orders/1", ""));
        Gate.await(gate.inRequest);
        CountDownLatch closing = new CountDownLatch(1);
        service.context().addApplicationListener(event -> {
            if (event instanceof ContextClosedEvent) {
                closing.countDown();
            }
        });

        CompletableFuture<Void> end = CompletableFuture.runAsync(service::close);
        Gate.await(closing);
        gate.request.countDown();

        assertThat(request.orTimeout(20, TimeUnit.SECONDS).join().statusCode()).isEqualTo(200);
        end.orTimeout(40, TimeUnit.SECONDS).join();
        requireNoNewThreads();
        try (WebService again = WebService.start(App.class, NO_WEB, database)) {
            await().until(() -> again.bean(Stock.class).reserved().equals(List.of("1")));
            assertThat(HANDLED_ON).hasSize(1);
        }
    }

    @Test
    void lazyInitializationDelaysNoEvent() {
        String database = database();
        try (WebService writer = WebService.start(App.class, NO_WEB, database, "waybill.relay.enabled=false")) {
            writer.bean(Orders.class).place("1");
        }
        try (WebService lazy = WebService.start(App.class, NO_WEB, database, "spring.main.lazy-initialization=true")) {
            assertThat(lazy.context().isRunning()).isTrue();
            await().until(() -> !HANDLED_ON.isEmpty());
            lazy.bean(Orders.class).place("2");
            await().until(() -> lazy.bean(Stock.class).reserved().equals(List.of("1", "2")));
        }
        requireNoNewThreads();
    }

    @Test
    void handlersRunOnVirtualThreadsWhereTheApplicationWantsThemAndThereAreAny() {
        try (WebService service = WebService.start(App.class, NO_WEB, "spring.threads.virtual.enabled=true")) {
            service.bean(Orders.class).place("1");
            await().until(() -> service.bean(Stock.class).reserved().equals(List.of("1")));
            assertThat(isVirtual(HANDLED_ON.element()))
                    .isEqualTo(Runtime.version().feature() >= 21);
        }
        try (WebService service = WebService.start(App.class, NO_WEB)) {
            service.bean(Orders.class).place("1");
            await().until(() -> HANDLED_ON.size() == 2);
            assertThat(HANDLED_ON)
                    .element(1)
                    .satisfies(thread -> assertThat(isVirtual(thread)).isFalse());
        }
        requireNoNewThreads();
    }

    /** The last to start fails, when relays and handlers run already. */
    @Test
    void anApplicationThatFailsToStartLeavesNoThreads() {
        assertThatThrownBy(() -> WebService.start(Doomed.class, NO_WEB)).hasStackTraceContaining("no luck");

        requireNoNewThreads();
    }

    @Test
    void twoApplicationsInOneProcessDoNotTouchEachOther() {
        try (WebService one = WebService.start(App.class, NO_WEB)) {
            try (WebService two = WebService.start(App.class, NO_WEB)) {
                one.bean(Orders.class).place("one");
                two.bean(Orders.class).place("two");
                await().until(() -> one.bean(Stock.class).reserved().equals(List.of("one")));
                await().until(() -> two.bean(Stock.class).reserved().equals(List.of("two")));
            }
            one.bean(Orders.class).place("once more");
            await().until(() -> one.bean(Stock.class).reserved().equals(List.of("once more", "one")));
        }
        requireNoNewThreads();
    }

    @Configuration(proxyBeanMethods = false)
    static class Doomed extends App {

        @Bean
        Last last() {
            return new Last();
        }
    }

    /** Starts after everything else, or rather does not. */
    static class Last implements SmartLifecycle {

        @Override
        public void start() {
            throw new IllegalStateException("no luck");
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public int getPhase() {
            return Integer.MAX_VALUE;
        }
    }

    private static String database() {
        return "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private void requireNoNewThreads() {
        await().untilAsserted(() -> {
            List<Thread> left = new ArrayList<>(waybillThreads());
            left.removeAll(before);
            assertThat(left).isEmpty();
        });
    }

    private static Set<Thread> waybillThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-") && thread.isAlive())
                .collect(Collectors.toSet());
    }

    /** Compiled for 17, where nobody knows of them. */
    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
