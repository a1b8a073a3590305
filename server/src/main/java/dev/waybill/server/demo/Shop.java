package dev.waybill.server.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes orders from several threads: the row and its event in one transaction, every tenth rolled back on purpose. */
final class Shop implements AutoCloseable {
    static final String DESTINATION = "orders";
    static final String EVENT_TYPE = "order.placed";
    static final String TABLE = "order";

    private static final Logger LOG = LoggerFactory.getLogger(Shop.class);
    private static final int ONE_ROLLED_BACK_OF = 10;
    private static final long LONGEST_LAG = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_WRITERS = 16;
    private static final int MIN_WRITERS = 4;
    private static final int RATE_A_WRITER = 250;

    private final DemoConfig config;
    private final HikariDataSource pool;
    private final JdbcOutbox outbox;
    private final String insert;
    private final Ledger ledger;
    private final Incidents errors;
    private final AtomicLong attempts = new AtomicLong();
    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean closed;

    Shop(
            DemoConfig config,
            HikariDataSource pool,
            String orderTable,
            JdbcOutbox outbox,
            Ledger ledger,
            Incidents errors) {
        this.config = config;
        this.pool = pool;
        this.outbox = outbox;
        this.ledger = ledger;
        this.errors = errors;
        insert = "INSERT INTO " + orderTable + " (id, customer, amount) VALUES (?, ?, ?)";
    }

    static int writers(DemoConfig config) {
        int wanted = Math.min(MAX_WRITERS, Math.max(MIN_WRITERS, config.rate() / RATE_A_WRITER));
        return config.faults() ? Math.min(wanted, config.keys()) : wanted;
    }

    static void createTable(DataSource dataSource, String orderTable) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + orderTable
                    + " (id VARCHAR(36) PRIMARY KEY, customer VARCHAR(40) NOT NULL, amount INT NOT NULL)");
        }
    }

    void open() {
        int count = writers(config);
        // So that as many as asked for are left after those that are rolled back.
        double attemptsPerSecond = config.rate() / (1 - 1.0 / ONE_ROLLED_BACK_OF);
        long interval = (long) (TimeUnit.SECONDS.toNanos(count) / attemptsPerSecond);
        for (int i = 0; i < count; i++) {
            IntSupplier customers = customers(i, count);
            Thread writer = new Thread(() -> write(interval, customers), "demo-writer-" + i);
            writer.setDaemon(true);
            writers.add(writer);
            writer.start();
        }
    }

    /** Returns when no transaction is open any more. */
    @Override
    public void close() {
        closed = true;
        try {
            for (Thread writer : writers) {
                LockSupport.unpark(writer);
                writer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.close();
    }

    /**
     * Anybody; but where effects are checked by their order, each writer has customers of its own: their transactions do
     * not overlap, so that there is one order in which they were published.
     */
    private IntSupplier customers(int writer, int writers) {
        if (!config.faults()) {
            return () -> ThreadLocalRandom.current().nextInt(config.keys());
        }
        int own = (config.keys() - writer - 1) / writers + 1;
        return () -> writer + writers * ThreadLocalRandom.current().nextInt(own);
    }

    private void write(long interval, IntSupplier customers) {
        long next = System.nanoTime() + ThreadLocalRandom.current().nextLong(interval);
        while (!closed) {
            long now = System.nanoTime();
            if (now < next) {
                LockSupport.parkNanos(this, next - now);
                continue;
            }
            // Somebody who cannot keep the pace must not make up for minutes of it in one burst.
            next = Math.max(next, now - LONGEST_LAG) + interval;
            placeOrder("customer-" + customers.getAsInt(), ThreadLocalRandom.current());
        }
    }

    private void placeOrder(String customer, ThreadLocalRandom random) {
        int amount = random.nextInt(1, 10_000);
        Event event = Event.to(DESTINATION)
                .key(customer)
                .type(EVENT_TYPE)
                .json("{\"customer\":\"" + customer + "\",\"amount\":" + amount + "}")
                .build();
        boolean changesTheirMind = attempts.incrementAndGet() % ONE_ROLLED_BACK_OF == 0;
        Ledger.Page page = ledger.begin(event);
        try {
            outbox.inTransaction(pool, transaction -> {
                insertOrder(transaction.connection(), event, amount);
                page.inserting();
                transaction.publish(event);
                if (changesTheirMind) {
                    throw new ChangedMind();
                }
                page.committing();
                return event.id();
            });
            page.committed();
        } catch (ChangedMind e) {
            page.failed();
        } catch (RuntimeException e) {
            page.failed();
            LOG.warn("An order was not written", e);
            errors.addOnce("writer: " + e.getMessage());
            LockSupport.parkNanos(WAIT_AFTER_FAILURE);
        }
    }

    private void insertOrder(Connection connection, Event event, int amount) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, event.id().toString());
            statement.setString(2, event.key());
            statement.setInt(3, amount);
            statement.executeUpdate();
        }
    }

    /** What rolls an order back on purpose. */
    private static final class ChangedMind extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ChangedMind() {
            super("The customer changed their mind", null, false, false);
        }
    }
}
