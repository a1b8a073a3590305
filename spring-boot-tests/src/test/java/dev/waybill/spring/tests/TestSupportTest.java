package dev.waybill.spring.tests;

import static dev.waybill.testkit.outbox.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.testkit.outbox.Drain;
import dev.waybill.testkit.outbox.TestOutbox;
import dev.waybill.testkit.spring.Faults;
import dev.waybill.testkit.spring.SpringTestOutbox;
import dev.waybill.testkit.spring.WaybillTest;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.RejectedEventException;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What waybill-testkit-spring gives to the tests of an application. */
@SpringBootTest(
        classes = TestSupportTest.App.class,
        webEnvironment = WebEnvironment.NONE,
        properties = "spring.datasource.url=jdbc:h2:mem:test-support;DB_CLOSE_DELAY=-1")
@WaybillTest
public class TestSupportTest {

    @PublishedEvent(destination = "mail", key = "order")
    record OrderPlaced(String order) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Mailer.class, Arrivals.class})
    static class App {
        @Bean
        EventCustomizer tenant() {
            return event -> event.withHeaders(Map.of("tenant", "t1"));
        }

        /** JPA's has no savepoints. */
        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Component
    static class Orders {
        private final TypedOutbox outbox;
        private final ApplicationEventPublisher publisher;

        Orders(TypedOutbox outbox, ApplicationEventPublisher publisher) {
            this.outbox = outbox;
            this.publisher = publisher;
        }

        @Transactional
        public void place(String order) {
            outbox.publish(new OrderPlaced(order));
        }

        @Transactional
        public void announce(String order) {
            publisher.publishEvent(new OrderPlaced(order));
        }

        @Transactional(propagation = Propagation.NESTED)
        public void placeAndFail(String order) {
            outbox.publish(new OrderPlaced(order));
            throw new IllegalStateException("out of stock");
        }
    }

    /** Counts what passes the faults. */
    @Component
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Arrivals implements TransportCustomizer {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public Transport customize(String name, Transport transport) {
            return new Transport() {
                @Override
                public void send(List<Delivery> batch, DeliveryListener listener) {
                    count.addAndGet(batch.size());
                    transport.send(batch, listener);
                }

                @Override
                public void close() {
                    transport.close();
                }
            };
        }
    }

    @Component
    static class Mailer {
        private final List<String> sent = new CopyOnWriteArrayList<>();

        @EventHandler(consumer = "mailer")
        void confirm(OrderPlaced event, Delivery delivery) {
            sent.add(event.order());
        }
    }

    @Autowired
    private Orders orders;

    @Autowired
    private Mailer mailer;

    @Autowired
    private Arrivals arrivals;

    @Autowired
    private TypedOutbox outbox;

    @Autowired
    private Drain drain;

    @Autowired
    private Faults faults;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private OutboxUnit unit;

    @Autowired
    private Consumers consumers;

    @BeforeEach
    void forget() {
        mailer.sent.clear();
        arrivals.count.set(0);
    }

    // testing
    @Test
    void anOrderIsConfirmedAlthoughTheMailerFailsTwice() {
        faults.failHandler("mailer", 2);

        orders.place("o-1");

        assertThat(outbox)
                .published(OrderPlaced.class)
                .withKey("o-1")
                .to("mail")
                .once();
        drain.deliverEverything();
        assertThat(mailer.sent).containsExactly("o-1");
    }
    // end

    @Test
    void anApplicationEventIsRecordedWithItsValue() {
        orders.announce("o-2");
        assertThat(outbox)
                .published(OrderPlaced.class)
                .withHeader("tenant", "t1")
                .satisfying(event -> assertThat(event.order()).isEqualTo("o-2"));
    }

    @Test
    void whatWasRolledBackWasNotPublished() {
        assertThatThrownBy(() -> orders.placeAndFail("o-3")).isInstanceOf(IllegalStateException.class);
        assertThat(outbox).publishedNothing();
        assertThatThrownBy(() -> assertThat(outbox).published(OrderPlaced.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Not committed")
                .hasMessageContaining("OrderPlaced[order=o-3]");
    }

    @Test
    void whatWasRolledBackToASavepointWasNotPublished() {
        transaction.executeWithoutResult(status -> {
            orders.place("o-4");
            assertThatThrownBy(() -> orders.placeAndFail("o-5")).isInstanceOf(IllegalStateException.class);
            orders.place("o-6");
        });
        assertThat(assertThat(outbox).published(OrderPlaced.class).values())
                .containsExactly(new OrderPlaced("o-4"), new OrderPlaced("o-6"));
        drain.deliverEverything();
        assertThat(mailer.sent).containsExactlyInAnyOrder("o-4", "o-6");
    }

    @Test
    void aTestThatIsATransactionItselfIsToldSo() {
        transaction.executeWithoutResult(status -> {
            orders.place("o-7");
            assertThatThrownBy(() -> assertThat(outbox).published(OrderPlaced.class))
                    .hasMessageContaining("@Transactional");
            status.setRollbackOnly();
        });
    }

    @Test
    void eventsAndBatchesAreRecordedAsTheyAreStored() {
        List<Event> events = List.of(
                Event.to("mail").type("Greeting").build(),
                Event.to("mail").type("Greeting").build());
        transaction.executeWithoutResult(status -> outbox.publishAll(events));
        assertThat(outbox).published("Greeting").withHeader("tenant", "t1").times(2);
    }

    @Test
    void aCancelledEventWasNotPublished() {
        Event reminder = Event.to("mail")
                .type("Reminder")
                .availableIn(Duration.ofHours(1))
                .build();
        transaction.executeWithoutResult(status -> outbox.publish(reminder));
        UUID id = reminder.id();
        transaction.executeWithoutResult(status -> outbox.cancel(id));
        assertThat(outbox).publishedNothing();
    }

    @Test
    void deliveriesFailAreUnavailableOrLoseTheirAcknowledgement() {
        faults.failNext("mail", 2).unavailableNext("mail", 2).loseAcknowledgementOfNext("mail", 1);
        orders.place("o-8");
        drain.deliverEverything();
        // It arrived twice and took effect once.
        assertThat(mailer.sent).containsExactly("o-8");
        assertThat(arrivals.count.get()).isEqualTo(2);
    }

    @Test
    void aRejectedDeliveryIsADeadLetterAndNobodyWaitsForIt() {
        faults.rejectNext("mail", 1);
        orders.place("o-9");
        drain.deliverEverything();
        assertThat(mailer.sent).isEmpty();
        assertThat(unit.store().deadLetters().count(DeadLetterFilter.all().withKey("o-9")))
                .isEqualTo(1);
    }

    @Test
    void aHandlerThatRejectsLeavesADeadLetterOfItsConsumer() {
        faults.failHandler("mailer", 1, () -> new RejectedEventException("no such address"));
        orders.place("o-10");
        drain.deliverEverything();
        assertThat(consumers
                        .siding()
                        .orElseThrow()
                        .deadLetters()
                        .count(DeadLetterFilter.all().withKey("o-10")))
                .isEqualTo(1);
    }

    @Test
    void aDestinationThatIsDownIsNamedByTheDrain() {
        faults.takeDown("mail");
        orders.place("o-11");
        assertThatThrownBy(() -> drain.deliverEverything(Duration.ofMillis(200)))
                .hasMessageContaining("outbox of dataSource: 1 for mail");
        faults.bringUp("mail");
        drain.deliverEverything();
        assertThat(mailer.sent).containsExactly("o-11");
    }

    // unit-test
    @Test
    void aUnitTestNeedsNoContext() {
        TestOutbox outbox = SpringTestOutbox.create();

        new Orders(outbox, event -> {}).place("o-1");

        assertThat(outbox).published(OrderPlaced.class).withKey("o-1").to("mail");
    }
    // end
}
