package dev.waybill.spring.tests;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.boot.WaybillAutoConfiguration;
import dev.waybill.spring.outbox.OutboxUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a database, publishing and nothing else: it starts in no time, so that each setting can have one. */
record LightApp(ApplicationContext context) {

    /** What every application has. */
    @Configuration(proxyBeanMethods = false)
    static class Jdbc {
        @Bean
        HikariDataSource dataSource(@Value("${test.url}") String url) {
            return pool(url);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WaybillAutoConfiguration.class));
    }

    static void run(List<String> settings, Consumer<LightApp> test) {
        run(Databases.h2(), settings, test);
    }

    static void run(String url, List<String> settings, Consumer<LightApp> test) {
        runner().withUserConfiguration(Jdbc.class)
                .withPropertyValues("test.url=" + url)
                .withPropertyValues(settings.toArray(String[]::new))
                .run(context -> {
                    if (context.getStartupFailure() != null) {
                        throw new AssertionError("The application does not start", context.getStartupFailure());
                    }
                    test.accept(new LightApp(context));
                });
    }

    /** Why an application with these settings does not start. */
    static Throwable failure(String... settings) {
        Throwable[] failure = new Throwable[1];
        runner().withUserConfiguration(Jdbc.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .withPropertyValues(settings)
                .run(context -> failure[0] = context.getStartupFailure());
        return failure[0];
    }

    TypedOutbox outbox() {
        return context.getBean(TypedOutbox.class);
    }

    OutboxUnit unit() {
        return context.getBean(OutboxUnit.class);
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(context.getBean("dataSource", DataSource.class));
    }

    void inTransaction(Runnable work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    UUID publish(Event event) {
        UUID[] id = new UUID[1];
        inTransaction(() -> id[0] = outbox().publish(event));
        return id[0];
    }

    int count(String table) {
        Integer count = jdbc().queryForObject("SELECT count(*) FROM " + table, Integer.class);
        return count == null ? 0 : count;
    }

    <T> @Nullable T stored(String column, Class<T> type) {
        return jdbc().queryForObject("SELECT " + column + " FROM waybill_outbox", type);
    }
}
