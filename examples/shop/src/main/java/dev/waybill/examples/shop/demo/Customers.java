package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.orders.OrderService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Place orders from several threads; every tenth changes their mind, and the order is rolled back. */
final class Customers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Customers.class);
    private static final List<String> ARTICLES = List.of(
            "apples", "bread", "butter", "candles", "coffee", "eggs", "flour", "honey", "jam", "lamps", "matches",
            "milk", "oil", "pears", "rice", "salt", "soap", "sugar", "tea", "wine");
    private static final int ONE_ROLLED_BACK_OF = 10;
    private static final long LONGEST_LAG = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_WRITERS = 10;
    private static final int MIN_WRITERS = 4;
    private static final int RATE_A_WRITER = 250;

    private final DemoConfig config;
    private final OrderService orders;
    private final TransactionTemplate transactions;
    private final Ledger ledger;
    private final Incidents errors;
    private final AtomicLong attempts = new AtomicLong();
    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean closed;

    Customers(
            DemoConfig config, OrderService orders, TransactionTemplate transactions, Ledger ledger, Incidents errors) {
        this.config = config;
        this.orders = orders;
        this.transactions = transactions;
        this.ledger = ledger;
        this.errors = errors;
    }

    void start() {
        int count =
                Math.min(config.keys(), Math.min(MAX_WRITERS, Math.max(MIN_WRITERS, config.rate() / RATE_A_WRITER)));
        // So that as many as asked for are left after those that are rolled back.
        double attemptsPerSecond = config.rate() / (1 - 1.0 / ONE_ROLLED_BACK_OF);
        long interval = (long) (TimeUnit.SECONDS.toNanos(count) / attemptsPerSecond);
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread writer = new Thread(() -> write(interval, number, count), "demo-customers-" + i);
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
    }

    /**
     * Each writer has customers of its own: nobody places two orders at the same time, so that there is one order in which
     * they were placed.
     */
    private void write(long interval, int writer, int writers) {
        int own = (config.keys() - writer - 1) / writers + 1;
        long next = System.nanoTime() + ThreadLocalRandom.current().nextLong(interval);
        while (!closed) {
            long now = System.nanoTime();
            if (now < next) {
                LockSupport.parkNanos(this, next - now);
                continue;
            }
            // Somebody who cannot keep the pace must not make up for minutes of it in one burst.
            next = Math.max(next, now - LONGEST_LAG) + interval;
            int customer = writer + writers * ThreadLocalRandom.current().nextInt(own);
            placeOrder("customer-" + customer, ThreadLocalRandom.current());
        }
    }

    private void placeOrder(String customer, ThreadLocalRandom random) {
        String article = ARTICLES.get(random.nextInt(ARTICLES.size()));
        boolean changesTheirMind = attempts.incrementAndGet() % ONE_ROLLED_BACK_OF == 0;
        long[] placed = new long[1];
        try {
            transactions.executeWithoutResult(status -> {
                long order = orders.place(customer, article, random.nextInt(1, 6), random.nextInt(1, 10_000));
                ledger.placing(order);
                placed[0] = order;
                if (changesTheirMind) {
                    status.setRollbackOnly();
                }
            });
            if (changesTheirMind) {
                ledger.rolledBack(placed[0]);
            } else {
                ledger.committed(placed[0]);
            }
        } catch (RuntimeException e) {
            // Before it had a number nothing has happened; after that it may have been the commit that failed.
            if (placed[0] == 0) {
                ledger.failed();
            } else {
                ledger.undecided(placed[0]);
            }
            LOG.warn("An order was not placed", e);
            errors.addOnce("orders: " + e.getMessage());
            LockSupport.parkNanos(WAIT_AFTER_FAILURE);
        }
    }
}
