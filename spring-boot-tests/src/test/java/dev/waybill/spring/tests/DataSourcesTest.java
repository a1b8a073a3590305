package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.NoTransactionException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications with several data sources, and with none. */
class DataSourcesTest {

    @PublishedEvent(destination = "orders")
    record OrderPlaced(String orderId) {}

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        HikariDataSource a() {
            return LightApp.pool(Databases.h2());
        }

        @Bean
        HikariDataSource b() {
            return LightApp.pool(Databases.h2());
        }

        @Bean
        PlatformTransactionManager managerA(@Qualifier("a") DataSource a) {
            return new DataSourceTransactionManager(a);
        }

        @Bean
        PlatformTransactionManager managerB(@Qualifier("b") DataSource b) {
            return new DataSourceTransactionManager(b);
        }

        @Bean
        Injected injected(
                TypedOutbox usual, Outbox plain, @Qualifier("a") TypedOutbox a, @Qualifier("b") TypedOutbox b) {
            return new Injected(usual, plain, a, b);
        }
    }

    record Injected(TypedOutbox usual, Outbox plain, TypedOutbox a, TypedOutbox b) {}

    @Configuration(proxyBeanMethods = false)
    static class TwoWithAPrimaryOne {
        @Bean
        HikariDataSource a() {
            return LightApp.pool(Databases.h2());
        }

        @Bean
        @Primary
        HikariDataSource b() {
            return LightApp.pool(Databases.h2());
        }
    }

    @Test
    @Setting("waybill.data-sources")
    void eachDataSourceHasItsOutboxAndItsTransactions() {
        LightApp.runner()
                .withUserConfiguration(Two.class)
                .withPropertyValues("waybill.data-sources=a,b")
                .run(context -> {
                    assertThat(context.getStartupFailure()).isNull();
                    Injected outboxes = context.getBean(Injected.class);
                    assertThat(outboxes.usual()).isSameAs(outboxes.a()).isSameAs(outboxes.plain());
                    assertThat(outboxes.b()).isNotSameAs(outboxes.a());
                    TransactionTemplate inB =
                            new TransactionTemplate(context.getBean("managerB", PlatformTransactionManager.class));
                    inB.executeWithoutResult(status -> {
                        assertThatThrownBy(() -> outboxes.a().publish(new OrderPlaced("1")))
                                .isInstanceOf(NoTransactionException.class)
                                .hasMessageContainingAll("none of the data source \"a\"", "waybill.data-sources");
                        // A connection that is opened on the side is no transaction.
                        new JdbcTemplate(context.getBean("a", DataSource.class)).queryForList("SELECT 1");
                        assertThatThrownBy(() -> outboxes.a().publish(new OrderPlaced("1")))
                                .isInstanceOf(NoTransactionException.class);
                        outboxes.b().publish(new OrderPlaced("1"));
                        context.publishEvent(new OrderPlaced("2"));
                    });
                    assertThat(context.getBeansOfType(OutboxUnit.class).values())
                            .extracting(OutboxUnit::name)
                            .containsExactlyInAnyOrder("a", "b");
                    assertThat(context.getBean("waybillUnit", OutboxUnit.class)
                                    .store()
                                    .countPending(10))
                            .isZero();
                    assertThat(context.getBean("waybillUnit-b", OutboxUnit.class)
                                    .store()
                                    .countPending(10))
                            .isEqualTo(2);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoManagers {
        @Bean
        PlatformTransactionManager first(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        @Primary
        PlatformTransactionManager usual(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @EventHandler(consumer = "stock")
        @Transactional("${test.manager}")
        public void on(OrderPlaced order) {}
    }

    @Test
    void consumersUseThePrimaryTransactionManager() {
        RunningApp.onH2(TwoManagers.class, "test.manager=usual").close();
        assertThatThrownBy(() -> RunningApp.onH2(TwoManagers.class, "test.manager=first"))
                .hasStackTraceContaining("which is not that of the consumers");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ManagerOfAnotherDatabase {
        @Bean
        PlatformTransactionManager transactionManager() {
            return new DataSourceTransactionManager(LightApp.pool(Databases.h2()));
        }

        @EventHandler(consumer = "stock")
        void on(OrderPlaced order) {}
    }

    @Test
    void handlersWithoutATransactionManagerOfTheirDataSourceFailTheStart() {
        assertThatThrownBy(() -> RunningApp.onH2(ManagerOfAnotherDatabase.class))
                .hasStackTraceContaining("None of the transaction managers");
    }

    @ParameterizedTest
    @CsvSource({"A, B", "B, A"})
    void anEventBelongsToTheInnermostTransactionOfSeveralManagers(String outer, String inner) {
        LightApp.runner()
                .withUserConfiguration(Two.class)
                .withPropertyValues("waybill.data-sources=a,b")
                .run(context -> {
                    Injected outboxes = context.getBean(Injected.class);
                    TypedOutbox ofOuter = outer.equals("A") ? outboxes.a() : outboxes.b();
                    TransactionTemplate around = transactions(context, outer);
                    around.executeWithoutResult(status -> {
                        ofOuter.publish(new OrderPlaced("1"));
                        transactions(context, inner).executeWithoutResult(within -> {
                            assertThatThrownBy(() -> ofOuter.publish(new OrderPlaced("2")))
                                    .isInstanceOf(NoTransactionException.class)
                                    .hasMessageContainingAll("is around one of another manager", "REQUIRES_NEW");
                            context.publishEvent(new OrderPlaced("3"));
                            TransactionTemplate own = transactions(context, outer);
                            own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                            own.executeWithoutResult(again -> context.publishEvent(new OrderPlaced("4")));
                            context.publishEvent(new OrderPlaced("5"));
                        });
                        context.publishEvent(new OrderPlaced("6"));
                        status.setRollbackOnly();
                    });
                    assertThat(pending(context, inner)).isEqualTo(2);
                    assertThat(pending(context, outer)).isEqualTo(1);
                    around.executeWithoutResult(status -> ofOuter.publish(new OrderPlaced("7")));
                    assertThat(pending(context, outer)).isEqualTo(2);
                });
    }

    private static TransactionTemplate transactions(ApplicationContext context, String name) {
        return new TransactionTemplate(context.getBean("manager" + name, PlatformTransactionManager.class));
    }

    private static long pending(ApplicationContext context, String name) {
        return context.getBean(name.equals("A") ? "waybillUnit" : "waybillUnit-b", OutboxUnit.class)
                .store()
                .countPending(10);
    }

    @Test
    void thePrimaryDataSourceIsTakenWithoutASetting() {
        LightApp.runner()
                .withUserConfiguration(TwoWithAPrimaryOne.class)
                .run(context ->
                        assertThat(context.getBean(OutboxUnit.class).name()).isEqualTo("b"));
        LightApp.runner()
                .withUserConfiguration(TwoWithAPrimaryOne.class)
                .withPropertyValues("waybill.data-sources=a,b")
                .run(context ->
                        assertThat(context.getBean(OutboxUnit.class).name()).isEqualTo("b"));
    }

    @Test
    void severalDataSourcesWithoutAPrimaryOneFailTheStartWithAdvice() {
        LightApp.runner()
                .withUserConfiguration(Two.class)
                .run(context ->
                        assertThat(context.getStartupFailure()).hasMessageContaining("waybill.data-sources=a,b"));
    }

    @Test
    void theDataSourceMayBeThatOfAParentContext() {
        new ApplicationContextRunner()
                .withUserConfiguration(TwoWithAPrimaryOne.class)
                .run(parent -> LightApp.runner().withParent(parent).run(child -> {
                    assertThat(child.getStartupFailure()).isNull();
                    assertThat(child.getBean(OutboxUnit.class).name()).isEqualTo("b");
                }));
    }

    @Test
    void anEventOfAChildContextIsPublishedOnce() {
        LightApp.run(
                List.of(),
                parent -> LightApp.runner().withParent(parent.context()).run(child -> {
                    assertThat(child.getStartupFailure()).isNull();
                    parent.inTransaction(() -> child.publishEvent(new OrderPlaced("1")));
                    assertThat(parent.count("waybill_outbox")).isEqualTo(1);
                    parent.inTransaction(() -> parent.context().publishEvent(new OrderPlaced("2")));
                    assertThat(parent.count("waybill_outbox")).isEqualTo(2);
                }));
    }

    @Test
    void anEventOfAChildContextWithoutAnOutboxIsPublishedByItsParent() {
        LightApp.run(List.of(), parent -> {
            try (GenericApplicationContext child = new GenericApplicationContext(parent.context())) {
                child.refresh();
                parent.inTransaction(() -> child.publishEvent(new OrderPlaced("1")));
                assertThat(parent.count("waybill_outbox")).isEqualTo(1);
            }
        });
    }

    @Test
    void noDataSourceFailsTheStartWithAdvice() {
        LightApp.runner()
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContainingAll("no DataSource", "spring.datasource.url", "waybill.enabled=false"));
    }
}
