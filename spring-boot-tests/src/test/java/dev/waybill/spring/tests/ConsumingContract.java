package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.event.Upcaster;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.Upcast;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.RejectedEventException;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What holds for consumers on every database, with JPA's transactions and with those of JDBC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsumingContract {

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderPlaced(String orderId, int step) {}

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderPacked(String orderId) {}

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderSwallowed(String orderId) {}

    @PublishedEvent(destination = "orders", key = "orderId", type = "order.priced", version = 2)
    record OrderPriced(String orderId, String price) {}

    @PublishedEvent(destination = "mails", key = "to")
    record MailWanted(String to) {}

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderNobodyWants(String orderId) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Effects effects(JdbcTemplate jdbc) {
            return new Effects(jdbc);
        }

        @Bean
        Faults faults() {
            return new Faults();
        }

        @Bean
        Stock stock(Effects effects, Faults faults, TypedOutbox outbox, Inner inner) {
            return new Stock(effects, faults, outbox, inner);
        }

        @Bean
        Inner inner(Effects effects) {
            return new Inner(effects);
        }

        @Bean
        Billing billing(Effects effects) {
            return new Billing(effects);
        }

        @Bean
        Mailer mailer(Effects effects, Faults faults) {
            return new Mailer(effects, faults);
        }

        @Bean
        Upcast prices() {
            return new Upcast(
                    "order.priced",
                    1,
                    Upcaster.ofPayload(old -> new String(old, StandardCharsets.UTF_8)
                            .replace("\"cents\":500", "\"price\":\"5.00\"")
                            .getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Which orders are to fail, and how often handlers were called for them. */
    static final class Faults {
        final Set<String> failing = ConcurrentHashMap.newKeySet();
        final Set<String> rejected = ConcurrentHashMap.newKeySet();
        final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

        void call(String orderId) {
            calls.computeIfAbsent(orderId, id -> new AtomicInteger()).incrementAndGet();
            if (rejected.contains(orderId)) {
                throw new RejectedEventException("never " + orderId);
            }
            if (failing.contains(orderId)) {
                throw new IllegalStateException("not now " + orderId);
            }
        }

        int callsOf(String orderId) {
            return calls.getOrDefault(orderId, new AtomicInteger()).get();
        }
    }

    static class Stock {
        private final Effects effects;
        private final Faults faults;
        private final TypedOutbox outbox;
        private final Inner inner;

        Stock(Effects effects, Faults faults, TypedOutbox outbox, Inner inner) {
            this.effects = effects;
            this.faults = faults;
            this.outbox = outbox;
            this.inner = inner;
        }

        @EventHandler(consumer = "stock")
        void on(OrderPlaced order) {
            effects.add("stock " + order.orderId() + " " + order.step());
            outbox.publish(new OrderPacked(order.orderId()));
            faults.call(order.orderId());
        }

        @EventHandler(consumer = "stock")
        void on(OrderSwallowed order) {
            effects.add("swallowed " + order.orderId());
            try {
                inner.fail();
            } catch (IllegalStateException e) {
                // As careless code does.
            }
        }
    }

    static class Inner {
        private final Effects effects;

        Inner(Effects effects) {
            this.effects = effects;
        }

        @Transactional
        public void fail() {
            effects.add("inner");
            throw new IllegalStateException("within a transaction");
        }
    }

    static class Billing {
        private final Effects effects;

        Billing(Effects effects) {
            this.effects = effects;
        }

        @EventHandler(consumer = "billing")
        @Transactional
        public void on(OrderPlaced order, Delivery delivery) {
            effects.add("billing " + order.orderId() + " " + delivery.event().destination());
        }

        @EventHandler(consumer = "billing", type = "OrderPacked")
        public void packed(Event event) {
            effects.add("packed " + event.key());
        }

        @EventHandler(consumer = "billing")
        public void priced(OrderPriced priced, Event event) {
            effects.add("priced " + priced.orderId() + " " + priced.price() + " v" + event.version());
        }
    }

    static class Mailer {
        private final Effects effects;
        private final Faults faults;

        Mailer(Effects effects, Faults faults) {
            this.effects = effects;
            this.faults = faults;
        }

        @EventHandler(consumer = "mailer", leased = true)
        void send(MailWanted mail) {
            effects.add("mail " + mail.to() + " " + TransactionSynchronizationManager.isActualTransactionActive());
            faults.call(mail.to());
        }
    }

    private @Nullable RunningApp running;

    abstract RunningApp start();

    @BeforeAll
    void startApp() {
        running = start();
    }

    @AfterAll
    void stopApp() {
        app().close();
    }

    RunningApp app() {
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    private List<String> effects(String prefix) {
        return app().bean(Effects.class).of(prefix);
    }

    private Faults faults() {
        return app().bean(Faults.class);
    }

    @Test
    void anEventTakesEffectOnceForEachOfItsConsumers() {
        app().publish(new OrderPlaced("two", 1));
        await().untilAsserted(() -> {
            assertThat(effects("stock two")).containsExactly("stock two 1");
            assertThat(effects("billing two")).containsExactly("billing two orders");
        });
    }

    @Test
    void aRedeliveredEventTakesNoEffect() {
        Event event = Event.to("orders")
                .type("OrderPlaced")
                .key("again")
                .payload(Payload.utf8("{\"orderId\":\"again\",\"step\":1}"))
                .build();
        assertThat(app().deliver(event)).isEqualTo(DeliveryResult.delivered());
        assertThat(app().deliver(event)).isEqualTo(DeliveryResult.delivered());
        assertThat(effects("stock again")).hasSize(1);
        assertThat(effects("billing again")).hasSize(1);
    }

    @Test
    void whatAHandlerPublishesIsDeliveredOnceAndOnlyIfItsTransactionCommits() {
        faults().failing.add("chain");
        app().publish(new OrderPlaced("chain", 1));
        await().until(() -> app().unhandled().stream()
                .anyMatch(letter -> "chain".equals(letter.entry().event().key())));
        assertThat(effects("packed chain")).isEmpty();
        app().publish(new OrderPlaced("unbroken", 1));
        await().untilAsserted(() -> assertThat(effects("packed unbroken")).hasSize(1));
        assertThat(effects("packed chain")).isEmpty();
    }

    @Test
    void aFailingEventIsTriedThreeTimesAndItsKeyAloneWaits() {
        faults().failing.add("poison");
        app().publish(new OrderPlaced("poison", 1));
        app().publish(new OrderPlaced("poison", 2));
        app().publish(new OrderPlaced("healthy", 1));
        DeadLetter letter = awaitDeadLetter("poison");
        await().untilAsserted(() -> assertThat(effects("stock healthy")).hasSize(1));
        assertThat(letter.consumer()).contains("stock");
        assertThat(letter.entry().lastError()).contains("not now poison");
        assertThat(faults().callsOf("poison")).isEqualTo(3);
        assertThat(effects("stock poison")).isEmpty();
        // The other consumer is not held up.
        await().untilAsserted(() -> assertThat(effects("billing poison")).hasSize(2));

        faults().failing.remove("poison");
        app().redrive(letter);
        await().untilAsserted(
                        () -> assertThat(effects("stock poison")).containsExactly("stock poison 1", "stock poison 2"));
    }

    @Test
    void anEventThatIsRejectedIsADeadLetterAtOnce() {
        faults().rejected.add("never");
        app().publish(new OrderPlaced("never", 1));
        awaitDeadLetter("never");
        assertThat(faults().callsOf("never")).isEqualTo(1);
    }

    @Test
    void aTransactionThatAnInnerOneMarkedForRollbackIsAFailure() {
        app().publish(new OrderSwallowed("swallowed"));
        assertThat(awaitDeadLetter("swallowed").entry().lastError()).contains("marked for rollback");
        assertThat(effects("swallowed")).isEmpty();
        assertThat(effects("inner")).isEmpty();
    }

    @Test
    void anOlderVersionIsBroughtToTheOneThatTheHandlerTakes() {
        app().publish(Event.to("orders")
                .type("order.priced")
                .key("old")
                .payload(Payload.utf8("{\"orderId\":\"old\",\"cents\":500}"))
                .build());
        await().untilAsserted(() -> assertThat(effects("priced")).containsExactly("priced old 5.00 v2"));
    }

    @Test
    void aLeasedHandlerRunsWithoutATransactionAndIsTriedAgain() {
        faults().failing.add("ann");
        app().publish(new MailWanted("ann"));
        await().untilAsserted(() -> assertThat(faults().callsOf("ann")).isGreaterThan(1));
        faults().failing.remove("ann");
        DeadLetter dead = app().unhandled().stream()
                .filter(letter -> "ann".equals(letter.entry().event().key()))
                .findFirst()
                .orElse(null);
        if (dead != null) {
            app().redrive(dead);
        }
        app().publish(new MailWanted("bob"));
        await().untilAsserted(() -> assertThat(effects("mail bob")).containsExactly("mail bob false"));
        assertThat(effects("mail ann")).isNotEmpty().allMatch(mail -> mail.equals("mail ann false"));
    }

    @Test
    void anEventThatNoHandlerTakesIsVisibleAndSaysWhatToAdd() {
        app().publish(new OrderNobodyWants("odd"));
        await().untilAsserted(() -> assertThat(app().undelivered())
                .singleElement()
                .satisfies(letter -> assertThat(letter.entry().lastError())
                        .contains("OrderNobodyWants", "orders", "@EventHandler(consumer")));
    }

    private DeadLetter awaitDeadLetter(String key) {
        return await().until(
                        () -> app().unhandled().stream()
                                .filter(letter ->
                                        key.equals(letter.entry().event().key()))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** The transactions of JPA. */
    abstract static class WithJpa extends ConsumingContract {

        @Entity(name = "Reservation")
        static class Reservation {
            @Id
            @Nullable
            String id;

            int step;
        }

        @PublishedEvent(destination = "reservations", key = "id")
        record ReservationWanted(String id, boolean twice) {}

        @Configuration(proxyBeanMethods = false)
        @EnableAutoConfiguration
        static class JpaShop extends Shop {
            @Bean
            Reserving reserving(EntityManager entities, Effects effects) {
                return new Reserving(entities, effects);
            }
        }

        static class Reserving {
            private final EntityManager entities;
            private final Effects effects;

            Reserving(EntityManager entities, Effects effects) {
                this.entities = entities;
                this.effects = effects;
            }

            @EventHandler(consumer = "reserving")
            void on(ReservationWanted wanted) {
                effects.add("reserved " + wanted.id());
                Reservation reservation = new Reservation();
                reservation.id = wanted.id();
                entities.persist(reservation);
                if (wanted.twice()) {
                    // Found out when it is flushed, with the commit.
                    entities.createNativeQuery("INSERT INTO reservation (id, step) VALUES (?, 0)")
                            .setParameter(1, wanted.id() + "x")
                            .executeUpdate();
                    Reservation same = new Reservation();
                    same.id = wanted.id() + "x";
                    entities.persist(same);
                }
            }
        }

        @Test
        void anEntityIsSavedWithTheRecordOfTheEvent() {
            assertThat(app().bean(PlatformTransactionManager.class).getClass().getSimpleName())
                    .isEqualTo("JpaTransactionManager");
            app().publish(new ReservationWanted("r1", false));
            await().untilAsserted(() -> assertThat(count("r1")).isEqualTo(1));
            assertThat(app().bean(Effects.class).of("reserved r1")).hasSize(1);
        }

        @Test
        void whatTheDatabaseRefusesWithTheCommitIsAFailureOfTheEvent() {
            app().publish(new ReservationWanted("r2", true));
            await().until(() -> app().unhandled().stream()
                    .anyMatch(letter -> "r2".equals(letter.entry().event().key())));
            assertThat(count("r2")).isZero();
            assertThat(app().bean(Effects.class).of("reserved r2")).isEmpty();
        }

        private int count(String id) {
            Integer found =
                    app().jdbc().queryForObject("SELECT COUNT(*) FROM reservation WHERE id = ?", Integer.class, id);
            return found == null ? 0 : found;
        }
    }
}
