package dev.waybill.spring.tests.purchases;

import dev.waybill.outbox.TypedOutbox;
import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An application with JPA that also has a transaction manager for plain JDBC. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PurchaseApplication {

    @Bean
    @Primary
    PlatformTransactionManager transactionManager(EntityManagerFactory factory) {
        return new JpaTransactionManager(factory);
    }

    @Bean
    PlatformTransactionManager jdbc(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    PurchaseService purchaseService(TypedOutbox outbox, Purchases purchases, ApplicationEventPublisher publisher) {
        return new PurchaseService(outbox, purchases, publisher);
    }

    @Bean
    static CountedStatements countedStatements() {
        return new CountedStatements();
    }

    /** As tracing libraries do it: the application's data source is a proxy of the pool. */
    @Bean
    static BeanPostProcessor countingDataSource(CountedStatements statements) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource ? statements.count(dataSource) : bean;
            }
        };
    }
}
