package dev.waybill.e2e;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxStore;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A consumer process whose parent kills it in the middle of handling: {@code CrashingConsumer <url> <brokers> <step>}.
 *
 * <p>After some events one of its threads prints {@code AT <step>} and waits there to be killed, while the others go on. Every twentieth
 * event fails at first, so that the siding has work too. Effects go to table {@code effect}, which allows any number of them.
 */
final class CrashingConsumer {
    static final String NAME = "ledger";
    static final String SIDING = "waybill_inbox_";

    /** Where the process is killed. */
    enum Step {
        NONE,
        BEFORE_CLAIM,
        AFTER_EFFECT_BEFORE_COMMIT,
        AFTER_COMMIT_BEFORE_ACK
    }

    private static final int EVENTS_BEFORE = 40;

    private final Step step;
    private final AtomicInteger passed = new AtomicInteger();

    private CrashingConsumer(Step step) {
        this.step = step;
    }

    public static void main(String[] args) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setMaximumPoolSize(8);
        HikariDataSource pool = new HikariDataSource(config);
        new CrashingConsumer(Step.valueOf(args[2])).run(pool, args[1]);
    }

    static JdbcOutboxStore siding(HikariDataSource pool) {
        return JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults().withTablePrefix(SIDING));
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private void run(HikariDataSource pool, String brokers) throws IOException {
        JdbcOutboxStore siding = siding(pool);
        InboxConsumer<Connection> consumer = InboxConsumer.named(NAME, stopping(new JdbcInbox(pool, siding)))
                .on("Paid", this::handle)
                .config(InboxConfig.defaults()
                        .withRetry(new RetryPolicy(1_000, Duration.ofMillis(50), Duration.ofMillis(500))))
                .build();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Relay retries = SidingRelay.start(siding, executor, consumer);
        // With a fixed id the group knows the next process as the same member, and does not wait for the dead one.
        KafkaInboxConsumer source = KafkaInboxConsumer.start(
                KafkaConsumerConfig.of(brokers, "payments").withThreads(4).withProperty("group.instance.id", "one"),
                consumer);
        System.out.println("STARTED");
        while (System.in.available() == 0) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        source.close();
        retries.close();
        executor.shutdown();
        pool.close();
        System.out.println("CLOSED");
    }

    private void handle(Connection connection, Delivery delivery) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO effect (event, event_key) VALUES (?, ?)")) {
            insert.setObject(1, delivery.event().id());
            insert.setString(2, delivery.event().key());
            insert.executeUpdate();
        }
        if (delivery.attempt() == 1 && ThreadLocalRandom.current().nextInt(20) == 0) {
            throw new IllegalStateException("flaky");
        }
        at(Step.AFTER_EFFECT_BEFORE_COMMIT);
    }

    /** The store, with a place to be killed before a claim and after a commit. */
    @SuppressWarnings("unchecked")
    private InboxStore<Connection> stopping(JdbcInbox store) {
        return (InboxStore<Connection>) Proxy.newProxyInstance(
                InboxStore.class.getClassLoader(), new Class<?>[] {InboxStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("claim")) {
                        at(Step.BEFORE_CLAIM);
                    }
                    Object result;
                    try {
                        result = method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("inTransaction")) {
                        at(Step.AFTER_COMMIT_BEFORE_ACK);
                    }
                    return result;
                });
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private void at(Step here) {
        if (here != step || passed.incrementAndGet() != EVENTS_BEFORE) {
            return;
        }
        System.out.println("AT " + here);
        while (true) {
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
        }
    }
}
