package dev.waybill.e2e;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A Spring Boot application that takes orders, and whose parent kills it: {@code CrashingApplication <url> <step>}.
 *
 * <p>Every order tells the ledger, a destination of its own that writes to table {@code arrival}, and a handler in the application,
 * which writes to table {@code effect}. Some transactions are rolled back, some only to a savepoint. After some events one thread
 * prints {@code AT <step>} and waits there to be killed.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class CrashingApplication {

    /** Where the process is killed; {@code NONE}: it takes no orders, and delivers what is left. */
    enum Step {
        NONE,
        IN_TRANSACTION,
        BEFORE_DELIVERY,
        BEFORE_ACKNOWLEDGEMENT,
        IN_HANDLER
    }

    private static final int EVENTS_BEFORE = 30;
    private static final int WRITERS = 2;
    private static final int KEYS = 20;

    private final Step step;
    private final JdbcTemplate jdbc;
    private final AtomicInteger passed = new AtomicInteger();

    CrashingApplication(@Value("${step}") Step step, JdbcTemplate jdbc) {
        this.step = step;
        this.jdbc = jdbc;
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] args) {
        new SpringApplicationBuilder(CrashingApplication.class)
                .run(
                        "--spring.main.keep-alive=true",
                        "--spring.main.banner-mode=off",
                        "--spring.datasource.url=" + args[0],
                        "--step=" + args[1],
                        "--waybill.destinations.ledger.transport=ledger",
                        // How long the next process waits for what the killed one owned.
                        "--waybill.relay.lease=4s",
                        "--waybill.store.statement-timeout=2s");
        System.out.println("STARTED");
    }

    @Bean
    Transport ledger() {
        return new Transport() {
            @Override
            public void send(List<Delivery> batch, DeliveryListener listener) {
                for (Delivery delivery : batch) {
                    at(Step.BEFORE_DELIVERY);
                    write("arrival", delivery.event().id(), delivery.event().key());
                    at(Step.BEFORE_ACKNOWLEDGEMENT);
                    listener.onResult(delivery, DeliveryResult.delivered());
                }
            }

            @Override
            public void close() {}
        };
    }

    @EventHandler(consumer = "stock", destination = "stock", type = "OrderPlaced")
    void reserve(Event event) {
        write("effect", event.id(), event.key());
        at(Step.IN_HANDLER);
    }

    @Bean
    ApplicationRunner writers(TypedOutbox outbox, PlatformTransactionManager manager) {
        return args -> {
            for (int i = 0; step != Step.NONE && i < WRITERS; i++) {
                String prefix = "w" + i + "-";
                Thread writer = new Thread(() -> placeOrders(prefix, outbox, manager), "writer-" + i);
                writer.setDaemon(true);
                writer.start();
            }
        };
    }

    /** Keys of a writer are its own, so that the order of its inserts is that of its commits. */
    private void placeOrders(String prefix, TypedOutbox outbox, PlatformTransactionManager manager) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        while (true) {
            String key = prefix + ThreadLocalRandom.current().nextInt(KEYS);
            transaction.executeWithoutResult(status -> {
                place(outbox, key);
                nested.executeWithoutResult(inner -> {
                    place(outbox, key);
                    if (oneIn(2)) {
                        inner.setRollbackOnly();
                    }
                });
                at(Step.IN_TRANSACTION);
                if (oneIn(5)) {
                    status.setRollbackOnly();
                }
            });
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }

    private void place(TypedOutbox outbox, String key) {
        for (String destination : List.of("ledger", "stock")) {
            Event event = Event.to(destination).key(key).type("OrderPlaced").build();
            write("shop_order_" + destination, event.id(), key);
            outbox.publish(event);
        }
    }

    private void write(String table, UUID event, @Nullable String key) {
        jdbc.update("INSERT INTO " + table + " (event, event_key) VALUES (?, ?)", event, key);
    }

    private static boolean oneIn(int times) {
        return ThreadLocalRandom.current().nextInt(times) == 0;
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
