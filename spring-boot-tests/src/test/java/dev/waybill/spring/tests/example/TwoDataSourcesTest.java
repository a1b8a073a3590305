package dev.waybill.spring.tests.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.testkit.outbox.Drain;
import dev.waybill.testkit.outbox.OutboxAssertions;
import dev.waybill.testkit.spring.WaybillTestConfiguration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The example of docs/spring-boot.md with two data sources. */
@Timeout(120)
class TwoDataSourcesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Invoices.class, Archive.class})
    static class App {
        @Bean
        @Primary
        DataSource orders() {
            return h2("two-orders");
        }

        @Bean
        DataSource billing() {
            return h2("two-billing");
        }

        @Bean
        @Primary
        JdbcTransactionManager ordersTransactions(@Qualifier("orders") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        JdbcTransactionManager billingTransactions(@Qualifier("billing") DataSource billing) {
            return new JdbcTransactionManager(billing);
        }

        /** Without a pool, so that the connection that made the tables is closed: H2 2.4 once refused all rows then. */
        private static DataSource h2(String name) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    // two
    @Service
    static class Invoices {
        private final TypedOutbox outbox;
        private final ApplicationEventPublisher publisher;

        Invoices(@Qualifier("billing") TypedOutbox outbox, ApplicationEventPublisher publisher) {
            this.outbox = outbox;
            this.publisher = publisher;
        }

        @Transactional("billingTransactions")
        public void send(String invoice) {
            outbox.publish("archive", invoice, new InvoiceSent(invoice));
        }
        // end

        @Transactional("billingTransactions")
        public void announce(OrderPlaced event) {
            publisher.publishEvent(event);
        }
    }

    record InvoiceSent(String invoice) {}

    @Component
    static class Archive {
        private final List<String> kept = new CopyOnWriteArrayList<>();

        @EventHandler(consumer = "archive")
        void keep(InvoiceSent event) {
            kept.add(event.invoice());
        }

        @EventHandler(consumer = "archive")
        void keep(OrderPlaced event) {
            kept.add(event.order());
        }
    }

    @Test
    void eachDataSourceHasItsOutboxAndRelay() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        App.class, WaybillTestConfiguration.class)
                .run("--spring.main.web-application-type=none", "--waybill.data-sources=orders,billing")) {
            Invoices invoices = context.getBean(Invoices.class);
            TypedOutbox billing = BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                    context.getBeanFactory(), TypedOutbox.class, "billing");
            invoices.send("i-1");
            invoices.announce(new OrderPlaced("o-1", 1, "EUR"));
            OutboxAssertions.assertThat(billing).published(InvoiceSent.class).withKey("i-1");
            OutboxAssertions.assertThat(billing).published(OrderPlaced.class).once();
            OutboxAssertions.assertThat(context.getBean(TypedOutbox.class)).publishedNothing();
            context.getBean(Drain.class).deliverEverything();
            assertThat(context.getBean(Archive.class).kept).containsExactlyInAnyOrder("i-1", "o-1");
        }
    }
}
