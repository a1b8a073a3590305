package dev.waybill.benchmarks.peers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Application contexts with Spring Boot's auto-configuration, for the peers that want one. */
final class Contexts {
    /** Both peers of Spring's world are on the class path: a context has one of them only. */
    static final Map<String, Object> WITHOUT_NAMASTACK = Map.of("namastack.outbox.enabled", "false");

    static final Map<String, Object> WITHOUT_MODULITH = Map.of(
            "spring.autoconfigure.exclude",
            String.join(
                    ",",
                    List.of(
                            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
                            "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
                            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
                            "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration")));

    private Contexts() {}

    /** A context that is up; it uses the pool, and does not close it. */
    static AnnotationConfigApplicationContext start(
            DataSource pool,
            Map<String, Object> others,
            Map<String, Object> settings,
            Consumer<AnnotationConfigApplicationContext> beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        ConfigurableEnvironment environment = context.getEnvironment();
        // As Spring Boot's own launcher does: names of enum constants in lower case, durations with units.
        environment.setConversionService(new ApplicationConversionService());
        environment.getPropertySources().addFirst(new MapPropertySource("others", others));
        environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
        context.registerBean("dataSource", DataSource.class, () -> pool, definition -> {
            if (definition instanceof AbstractBeanDefinition bean) {
                bean.setDestroyMethodName("");
            }
        });
        beans.accept(context);
        context.refresh();
        return context;
    }

    /** Does something with the connection of Spring's transaction. */
    static void inTransaction(DataSource pool, Work work) {
        Connection connection = DataSourceUtils.getConnection(pool);
        try {
            work.with(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("The business part of a transaction failed", e);
        } finally {
            DataSourceUtils.releaseConnection(connection, pool);
        }
    }

    interface Work {
        void with(Connection connection) throws SQLException;
    }
}
