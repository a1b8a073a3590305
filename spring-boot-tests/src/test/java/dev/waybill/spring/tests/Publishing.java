package dev.waybill.spring.tests;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.tests.purchases.PurchaseApplication;
import dev.waybill.spring.tests.purchases.PurchaseMade;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An application to publish with: a database and a kind of transactions. The application of a database is shared by all tests. */
enum Publishing {
    H2_JDBC(Database.H2, "jdbc"),
    H2_JPA(Database.H2, "transactionManager"),
    POSTGRES_JDBC(Database.POSTGRES, "jdbc"),
    POSTGRES_JPA(Database.POSTGRES, "transactionManager");

    private enum Database {
        H2,
        POSTGRES
    }

    private static final Map<Database, ConfigurableApplicationContext> CONTEXTS = new ConcurrentHashMap<>();

    private final Database database;
    private final String manager;

    Publishing(Database database, String manager) {
        this.database = database;
        this.manager = manager;
    }

    ConfigurableApplicationContext context() {
        return CONTEXTS.computeIfAbsent(database, Publishing::start);
    }

    /** Closed by Spring's own shutdown hook. */
    private static ConfigurableApplicationContext start(Database database) {
        return new SpringApplicationBuilder(PurchaseApplication.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=" + (database == Database.H2 ? Databases.h2() : Databases.postgres()),
                        "--spring.jpa.hibernate.ddl-auto=create",
                        "--spring.jackson.property-naming-strategy=SNAKE_CASE",
                        "--waybill.relay.enabled=false",
                        "--waybill.inbox.enabled=false");
    }

    TypedOutbox outbox() {
        return context().getBean(TypedOutbox.class);
    }

    OutboxUnit unit() {
        return context().getBean(OutboxUnit.class);
    }

    PlatformTransactionManager manager() {
        return context().getBean(manager, PlatformTransactionManager.class);
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(manager());
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(propagation);
        return template;
    }

    TransactionTemplate nested() {
        return transaction(TransactionDefinition.PROPAGATION_NESTED);
    }

    TransactionTemplate requiresNew() {
        return transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    /** Publishes one of the events that {@link #stored} finds. */
    void publish(String text) {
        outbox().publish(new PurchaseMade("key", text));
    }

    void clear() {
        jdbc().update("DELETE FROM waybill_outbox");
    }

    /** The texts of what is in the table, in the order of publishing. */
    List<String> stored() {
        return jdbc().query("SELECT payload FROM waybill_outbox ORDER BY seq", (row, number) -> text(row.getBytes(1)));
    }

    private static String text(byte[] payload) {
        return new String(payload, StandardCharsets.UTF_8).replaceAll(".*\"text\":\"([^\"]*)\".*", "$1");
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(unit().connections());
    }
}
