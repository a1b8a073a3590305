package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.store.jdbc.PostgresListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What each of the settings of the tables changes. */
class StoreSettingsTest {

    private static Event event() {
        return Event.to("orders")
                .type("t")
                .json("{\"text\":\"" + "x".repeat(2000) + "\"}")
                .build();
    }

    @Test
    @Setting({"waybill.store.schema", "waybill.store.table-prefix"})
    void theTablesHaveASchemaAndAPrefix() {
        LightApp.run(
                Databases.h2() + ";INIT=CREATE SCHEMA IF NOT EXISTS events",
                List.of("waybill.store.schema=events", "waybill.store.table-prefix=w_"),
                app -> {
                    app.publish(event());
                    assertThat(app.count("events.w_outbox")).isEqualTo(1);
                });
    }

    @Test
    @Setting("waybill.store.migrate")
    void theTablesAreMadeAtTheStartUnlessSomebodyElseMakesThem() {
        LightApp.run(List.of(), app -> assertThat(app.count("waybill_outbox")).isZero());
        LightApp.run(
                List.of("waybill.store.migrate=false"),
                app -> assertThatThrownBy(() -> app.publish(event())).isInstanceOf(StoreException.class));
    }

    @Test
    @Setting({
        "waybill.store.statement-timeout",
        "waybill.store.retention",
        "waybill.store.decided-retention",
        "waybill.store.max-replays"
    })
    void theStoreHasTheTimesAndLimitsOfTheSettings() {
        List<String> settings = List.of(
                "waybill.store.statement-timeout=2s",
                "waybill.store.retention=1h",
                "waybill.store.decided-retention=2d",
                "waybill.store.max-replays=5");
        LightApp.run(
                settings,
                app -> assertThat(app.unit().store().config())
                        .isEqualTo(JdbcStoreConfig.defaults()
                                .withStatementTimeout(Duration.ofSeconds(2))
                                .withRetention(Duration.ofHours(1))
                                .withDecidedRetention(Duration.ofDays(2))
                                .withMaxReplays(5)));
        LightApp.run(List.of(), app -> assertThat(app.unit().store().config()).isEqualTo(JdbcStoreConfig.defaults()));
    }

    @Test
    @Setting("waybill.store.compress-above")
    void largePayloadsAreStoredDeflated() {
        LightApp.run(List.of("waybill.store.compress-above=1KB"), app -> {
            app.publish(event());
            assertThat(app.stored("length(payload)", Integer.class)).isLessThan(500);
        });
        LightApp.run(List.of(), app -> {
            app.publish(event());
            assertThat(app.stored("length(payload)", Integer.class)).isGreaterThan(2000);
        });
    }

    @Test
    @Setting("waybill.store.pool-size")
    void theStoreHasASmallPoolOfItsOwnThatEndsWithTheApplication() {
        HikariDataSource[] pool = new HikariDataSource[1];
        LightApp.run(List.of("waybill.store.pool-size=2"), app -> {
            pool[0] = (HikariDataSource) app.unit().connections();
            assertThat(pool[0]).isNotSameAs(app.unit().dataSource());
            assertThat(pool[0].getMaximumPoolSize()).isEqualTo(2);
            assertThat(pool[0].isClosed()).isFalse();
        });
        assertThat(pool[0].isClosed()).isTrue();
        LightApp.run(
                List.of("waybill.store.pool-size=0"),
                app -> assertThat(app.unit().connections()).isSameAs(app.unit().dataSource()));
    }

    @Test
    @Setting("waybill.relay.signals")
    void commitsAreToldToOtherProcessesByPostgres() throws InterruptedException {
        String url = Databases.postgres();
        Semaphore told = new Semaphore(0);
        LightApp.run(url, List.of("waybill.store.pool-size=1"), app -> {
            assertThat(app.unit().signals()).isTrue();
            try (HikariDataSource other = LightApp.pool(url);
                    PostgresListener listener =
                            PostgresListener.start(other, app.unit().store().config(), shards -> told.release())) {
                assertThat(listener).isNotNull();
                // It tells once that it listens.
                acquire(told);
                app.publish(event());
                acquire(told);
            }
        });
        LightApp.run(
                url,
                List.of("waybill.relay.signals=false"),
                app -> assertThat(app.unit().signals()).isFalse());
        LightApp.run(List.of(), app -> assertThat(app.unit().signals()).isFalse());
    }

    private static void acquire(Semaphore told) {
        try {
            assertThat(told.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Metered {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    @Setting("waybill.metrics.enabled")
    void whatIsPublishedIsCountedUnlessNobodyWantsIt() {
        for (boolean enabled : List.of(true, false)) {
            LightApp.runner()
                    .withUserConfiguration(LightApp.Jdbc.class, Metered.class)
                    .withPropertyValues("test.url=" + Databases.h2(), "waybill.metrics.enabled=" + enabled)
                    .run(context -> {
                        new LightApp(context).publish(event());
                        assertThat(context.getBean(MeterRegistry.class)
                                        .find("outbox.entries.written")
                                        .counters())
                                .hasSize(enabled ? 1 : 0);
                    });
        }
    }
}
