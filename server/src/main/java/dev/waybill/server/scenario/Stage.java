package dev.waybill.server.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHandler;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.resilience.Resilience;
import dev.waybill.resilience.ResilienceConfig;
import dev.waybill.resilience.ResilientOperations;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.server.metrics.BreakerStates;
import dev.waybill.store.Shards;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A shop with an outbox, and two consumers with an inbox, as they would be in services of their own. Thread-safe. */
final class Stage implements AutoCloseable {
    private static final int CONNECTIONS = 4;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ScratchDatabase database;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final HikariDataSource shopPool;
    private final String orders;
    private final JdbcOutboxStore shopStore;
    private final JdbcOutboxStore siding;
    private final JdbcOutbox outbox;
    private final Stock stock;
    private final Mail mail;
    private final Relay relay;
    private final Relay sidingRelay;

    private Stage(ScratchDatabase database) {
        this.database = database;
        orders = database.table("order");
        shopPool = pool("shop");
        shopStore = store(database.tablePrefix());
        siding = store(sidingPrefix());
        outbox = new JdbcOutbox(shopStore, OutboxConfig.defaults());
        HikariDataSource consumerPool = pool("consumers");
        stock = new Stock(consumerPool, database.table("shelf"), database.table("reservation"));
        mail = new Mail(consumerPool, database.table("mail"));
        createTables();
        Resilience resilience = ResilientOperations.create(ResilienceConfig.defaults(), meters);
        opened.push(resilience);
        JdbcInbox inbox = new JdbcInbox(consumerPool, siding);
        InboxConsumer<Connection> stockConsumer = consumer(Stock.NAME, inbox, resilience, stock::reserve);
        InboxConsumer<Connection> mailConsumer = consumer(Mail.NAME, inbox, resilience, mail::confirm);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        opened.push(threads::shutdownNow);
        sidingRelay = SidingRelay.start(siding, threads, stockConsumer, mailConsumer);
        opened.push(sidingRelay);
        relay = Relay.builder(shopStore)
                .route(Order.DESTINATION, InboxTransport.to(threads, stockConsumer, mailConsumer))
                .build()
                .start();
        opened.push(relay);
        outbox.afterCommit(relay::wakeUp);
    }

    /** Makes the tables in an empty database, and everything around it. */
    static Stage set(ScratchDatabase database) {
        return new Stage(database);
    }

    private static InboxConsumer<Connection> consumer(
            String name, JdbcInbox inbox, Resilience resilience, InboxHandler<Connection> handler) {
        return InboxConsumer.named(name, inbox)
                .on(Order.TYPE, handler)
                .guard(resilience.guard())
                .config(InboxConfig.defaults().withRetry(resilience.retryPolicy(name)))
                .build();
    }

    private HikariDataSource pool(String name) {
        HikariDataSource pool = database.pool("scenario-" + name, CONNECTIONS);
        opened.push(pool);
        return pool;
    }

    private JdbcOutboxStore store(String prefix) {
        return JdbcOutboxStore.create(
                pool(prefix + "relay"), JdbcStoreConfig.defaults().withTablePrefix(prefix));
    }

    private void createTables() {
        shopStore.migrate();
        siding.migrate();
        Sql.update(shopPool, "CREATE TABLE " + orders + " (id VARCHAR(40) PRIMARY KEY, customer VARCHAR(40) NOT NULL)");
        stock.createTables();
        mail.createTable();
    }

    /** What the names of the consumers' tables begin with. */
    String sidingPrefix() {
        return database.tablePrefix() + "inbox_";
    }

    /** Whether the relays are at work. */
    boolean isReady() {
        return relay.status().ownedShards() == Shards.COUNT
                && sidingRelay.status().ownedShards() == Shards.COUNT;
    }

    /** Commits an order together with its event. */
    void place(Order order) {
        outbox.inTransaction(shopPool, transaction -> {
            Sql.update(
                    transaction.connection(),
                    "INSERT INTO " + orders + " (id, customer) VALUES (?, ?)",
                    order.id(),
                    order.customer());
            return transaction.publish(order.event());
        });
    }

    int ordersCommitted() {
        return Sql.number(shopPool, "SELECT COUNT(*) FROM " + orders);
    }

    /** What has not arrived at the consumers. */
    long undelivered() {
        return shopStore.operations().statistics().pending();
    }

    Stock stock() {
        return stock;
    }

    Mail mail() {
        return mail;
    }

    DeadLetters deadLetters() {
        return siding.deadLetters();
    }

    AuditTrail auditTrail() {
        return siding.auditTrail();
    }

    /** What waits for its next try, the dead letters and those behind them not counted. */
    long aside() {
        return siding.operations().statistics().pending();
    }

    String breaker(String consumer) {
        return BreakerStates.of(consumer, meters);
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("The scenario could not be taken down: " + e.getMessage(), e);
            }
        }
    }
}
