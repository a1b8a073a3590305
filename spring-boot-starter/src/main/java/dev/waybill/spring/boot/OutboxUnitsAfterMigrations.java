package dev.waybill.spring.boot;

import dev.waybill.spring.outbox.OutboxUnit;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Lets Flyway, Liquibase and the scripts of the application go first: Flyway refuses a schema that has tables already but no
 * history of its own.
 */
final class OutboxUnitsAfterMigrations extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(OutboxUnit.class);
    }
}
