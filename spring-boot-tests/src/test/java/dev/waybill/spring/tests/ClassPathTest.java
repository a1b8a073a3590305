package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.spring.actuate.OutboxHealth;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** What an application does not have on its class path is not missed. */
class ClassPathTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withBean(DataSource.class, ClassPathTest::database)
            .withConfiguration(AutoConfigurations.of(ours()));

    @Test
    void withoutTracingNothingOfItIsLoaded() {
        application
                .withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(TypedOutbox.class);
                    assertThat(context)
                            .doesNotHaveBean(EventCustomizer.class)
                            .doesNotHaveBean(TransportCustomizer.class)
                            .doesNotHaveBean(HandlerInterceptor.class);
                });
    }

    /** The class path alone traces nothing: the application has to have a tracer. */
    @Test
    void withoutATracerNothingIsTraced() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventCustomizer.class));
    }

    @Test
    void eachGenerationHasOneIndicator() {
        application.run(context -> assertThat(context)
                .hasNotFailed()
                .hasBean("waybillHealthIndicator")
                .hasSingleBean(OutboxHealth.class));
    }

    /** All of the starter, by name: no test may name the classes of one generation, and compile on the other. */
    private static Class<?>[] ours() {
        ClassLoader loader = ClassPathTest.class.getClassLoader();
        return ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
                .filter(name -> name.startsWith("dev.waybill."))
                .map(name -> ClassUtils.resolveClassName(name, loader))
                .toArray(Class<?>[]::new);
    }

    private static DataSource database() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return h2;
    }
}
