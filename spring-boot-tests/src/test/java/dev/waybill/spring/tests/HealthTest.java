package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.spring.actuate.OutboxHealth;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class HealthTest {

    @Test
    void aHealthyServiceShowsItsOutboxAndTheSidingOfItsConsumers() {
        try (WebService service = WebService.start(Warehouse.class, "management.endpoint.health.probes.enabled=true")) {
            await().until(() -> service.json("/actuator/health/waybill")
                    .at("/details/dataSource/ownedShards")
                    .asText()
                    .equals("64 of 64"));
            JsonNode health = service.json("/actuator/health");
            assertThat(health.at("/status").asText()).isEqualTo("UP");
            assertThat(health.at("/components/waybill/status").asText()).isEqualTo("UP");
            JsonNode outbox = health.at("/components/waybill/details/dataSource");
            assertThat(outbox.at("/problems").size()).isZero();
            assertThat(outbox.at("/relaysHere/0/ownedShards").asInt()).isEqualTo(64);
            assertThat(health.at("/components/waybill/details/siding/relaysHere")
                            .size())
                    .isEqualTo(1);
            assertThat(service.get("/actuator/health/liveness").body()).doesNotContain("waybill");
            assertThat(service.get("/actuator/health/readiness").body()).doesNotContain("waybill");
        }
    }

    /** Restarting or bypassing a service mends no backlog: the component says so, the service stays up. */
    @Test
    @Setting("waybill.health.oldest-age")
    void anOldBacklogDegradesTheComponentAndLeavesTheServiceUp() {
        try (WebService service =
                WebService.start(Warehouse.class, "waybill.relay.enabled=false", "waybill.health.oldest-age=1ms")) {
            service.bean(Warehouse.Orders.class).place("1");

            await().until(() -> status(service).equals("DEGRADED"));
            assertThat(service.json("/actuator/health/waybill")
                            .at("/details/dataSource/problems/0")
                            .asText())
                    .contains("The oldest event for orders", "1ms is allowed");
            assertThat(service.get("/actuator/health/waybill").statusCode()).isEqualTo(200);
            assertThat(service.json("/actuator/health").at("/status").asText()).isEqualTo("UP");
        }
    }

    @Test
    @Setting("waybill.health.dead-letters")
    void deadLettersBeyondTheLimitDegradeAndCanBeMadeToCount() {
        try (WebService service = WebService.start(
                Warehouse.class,
                "waybill.health.dead-letters=0",
                "management.endpoint.health.status.order=down,out-of-service,degraded,up,unknown",
                "management.endpoint.health.status.http-mapping.degraded=503",
                "management.endpoint.health.status.http-mapping.down=503")) {
            service.bean(Warehouse.Orders.class).place("bad");

            await().until(() -> status(service).equals("DEGRADED"));
            assertThat(service.json("/actuator/health/waybill")
                            .at("/details/siding/deadLetters")
                            .asInt())
                    .isEqualTo(1);
            assertThat(service.get("/actuator/health").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void byDefaultDeadLettersAreShownAndNothingMore() {
        try (WebService service = WebService.start(Warehouse.class)) {
            service.bean(Warehouse.Orders.class).place("bad");

            await().until(() -> service.json("/actuator/health/waybill")
                            .at("/details/siding/deadLetters")
                            .asInt()
                    == 1);
            assertThat(status(service)).isEqualTo("UP");
        }
    }

    @Test
    @Setting("waybill.health.enabled")
    void theIndicatorCanBeSwitchedOff() {
        try (WebService service = WebService.start(Warehouse.class, "waybill.health.enabled=false")) {
            assertThat(service.json("/actuator/health").at("/components").has("waybill"))
                    .isFalse();
            assertThat(service.context().getBeanNamesForType(OutboxHealth.class))
                    .isEmpty();
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsDownWithinSeconds() {
        try (WebService service = WebService.start(SlowDatabase.class, "waybill.store.pool-size=0")) {
            Stalling database = service.bean(Stalling.class);
            assertThat(status(service)).isEqualTo("UP");
            database.stall();
            try {
                Instant before = Instant.now();
                await().until(() -> status(service).equals("DOWN"));
                assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(10));
                assertThat(service.get("/actuator/health/waybill").body()).contains("has not answered within 3s");
                assertThat(service.get("/actuator/health/waybill").statusCode()).isEqualTo(503);
            } finally {
                database.goOn();
            }
            await().until(() -> status(service).equals("UP"));
        }
    }

    @Test
    void eachDataSourceHasItsOwnFigures() {
        try (WebService service = WebService.start(
                TwoDatabases.class, "spring.main.web-application-type=none", "waybill.data-sources=shop,billing")) {
            assertThat(service.bean(OutboxHealth.class).check().details()).containsOnlyKeys("shop", "billing");
        }
    }

    private static String status(WebService service) {
        return service.json("/actuator/health/waybill").at("/status").asText();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoDatabases {

        @Bean
        @Primary
        DataSource shop() {
            return database();
        }

        @Bean
        DataSource billing() {
            return database();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowDatabase extends Warehouse {

        @Bean
        Stalling dataSource() {
            return new Stalling(database());
        }
    }

    private static DataSource database() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return h2;
    }

    /** Gives no connections while it is told so, like a pool whose database hangs. */
    static class Stalling extends DelegatingDataSource {
        private volatile CountDownLatch open = new CountDownLatch(0);

        Stalling(DataSource target) {
            super(target);
        }

        void stall() {
            open = new CountDownLatch(1);
        }

        void goOn() {
            open.countDown();
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException(e);
            }
            return super.getConnection();
        }
    }
}
