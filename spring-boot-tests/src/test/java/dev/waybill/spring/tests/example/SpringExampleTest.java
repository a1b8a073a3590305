package dev.waybill.spring.tests.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.relay.Route;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.spring.tests.TestSupportTest;
import dev.waybill.testkit.outbox.Drain;
import dev.waybill.testkit.spring.WaybillTestConfiguration;
import dev.waybill.testkit.transport.RecordingTransport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The examples of docs/spring-boot.md: they compile, they work, and the page shows these very texts. */
@Timeout(120)
class SpringExampleTest {
    private ConfigurableApplicationContext context;
    private JdbcTemplate jdbc;
    private Drain drain;

    @BeforeEach
    void start() {
        context = new SpringApplicationBuilder(ShopConfiguration.class, WaybillTestConfiguration.class)
                .run(
                        "--spring.main.web-application-type=none",
                        "--spring.datasource.generate-unique-name=true",
                        "--waybill.destinations.audit.transport=audit");
        jdbc = context.getBean(JdbcTemplate.class);
        drain = context.getBean(Drain.class);
        jdbc.execute("CREATE TABLE shop_order (id varchar(20), pieces int)");
        jdbc.execute("CREATE TABLE reservation (id varchar(20), pieces int)");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void ordersAreReservedAndConfirmedHoweverTheyArePublished() {
        context.getBean(Orders.class).place("o-1", 2);
        context.getBean(Orders.class).placeAsBefore("o-2", 3);
        drain.deliverEverything();
        assertThat(reserved()).containsExactlyInAnyOrder("o-1", "o-2");
        assertThat(context.getBean(Stock.class).mails)
                .containsExactlyInAnyOrder(
                        "o-1 {\"order\":\"o-1\",\"pieces\":2,\"currency\":\"EUR\"}",
                        "o-2 {\"order\":\"o-2\",\"pieces\":3,\"currency\":\"EUR\"}");
    }

    @Test
    void aBusinessErrorIsADeadLetterOfItsConsumerOnly() {
        context.getBean(Orders.class).place("o-3", 101);
        drain.deliverEverything();
        List<DeadLetter> dead = context.getBean(Consumers.class)
                .siding()
                .orElseThrow()
                .deadLetters()
                .list(DeadLetterFilter.all(), 0, 10);
        assertThat(dead)
                .extracting(
                        DeadLetter::consumer, letter -> letter.entry().event().key())
                .containsExactly(tuple(Optional.of("stock"), "o-3"));
        assertThat(context.getBean(Stock.class).mails).hasSize(1);
    }

    @Test
    void aDelayedEventCanBeCancelled() {
        var id = context.getBean(Orders.class).remindLater("o-4");
        TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
        assertThat(transaction.<Boolean>execute(
                        status -> context.getBean(TypedOutbox.class).cancel(id)))
                .isTrue();
    }

    @Test
    void anOlderEventIsUpcast() {
        publish(Event.to("orders")
                .key("o-5")
                .type("OrderPlaced")
                .json("{\"order\":\"o-5\",\"pieces\":1}")
                .build());
        drain.deliverEverything();
        assertThat(reserved()).containsExactly("o-5");
    }

    @Test
    void aTransportOfTheApplicationsOwnIsARoute() {
        publish(Event.to("audit").type("Checked").build());
        drain.deliverEverything();
        RecordingTransport audit = context.getBean("audit", RecordingTransport.class);
        assertThat(audit.arrived()).hasSize(1);
        assertThat(audit.arrived().get(0).event().headers()).containsEntry("tenant", "blue");
        Route route = context.getBean(RouteTable.class).of("audit");
        assertThat(route.retry().maxAttempts()).isEqualTo(3);
    }

    private List<String> reserved() {
        return jdbc.queryForList("SELECT id FROM reservation", String.class);
    }

    private void publish(Event event) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> context.getBean(TypedOutbox.class).publish(event));
    }

    @Test
    void thePageShowsTheseExamples() throws IOException {
        String page = Examples.page("docs/spring-boot.md");
        assertThat(page)
                .contains(Examples.of(OrderPlaced.class, "published-event"))
                .contains(Examples.of(Orders.class, "publish"))
                .contains(Examples.of(Orders.class, "application-event"))
                .contains(Examples.of(Orders.class, "reminder"))
                .contains(Examples.of(Stock.class, "handler"))
                .contains(Examples.of(Stock.class, "out-of-stock"))
                .contains(Examples.of(ShopConfiguration.class, "transport"))
                .contains(Examples.of(ShopConfiguration.class, "upcaster"))
                .contains(Examples.of(ShopConfiguration.class, "customizer"))
                .contains(Examples.of(TwoDataSourcesTest.class, "two"))
                .contains(Examples.of(TestSupportTest.class, "testing"))
                .contains(Examples.of(TestSupportTest.class, "unit-test"));
    }
}
