package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.e2e.CrashingConsumer.Step;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Promise 8 with real processes: the consumer is killed at each step of handling, again and again, under load. */
class ConsumerCrashIT {
    private static final Logger log = LoggerFactory.getLogger(ConsumerCrashIT.class);
    private static final int KILLS = 30;
    private static final int KEYS = 50;
    private static final Duration PAUSE = Duration.ofMillis(4);
    private static final Step[] STEPS = {
        Step.BEFORE_CLAIM, Step.AFTER_EFFECT_BEFORE_COMMIT, Step.AFTER_COMMIT_BEFORE_ACK
    };

    @Test
    void everyEventTakesEffectOnceHoweverOftenItsConsumerIsKilled(@TempDir Path folder) throws Exception {
        try (Postgres postgres = new Postgres();
                KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
                HikariDataSource pool = postgres.pool(6);
                KafkaTransport kafka = KafkaTransport.create(KafkaTransportConfig.of(broker.bootstrapServers()))) {
            broker.createTopic("payments", 4);
            postgres.execute("CREATE TABLE effect (n bigint GENERATED ALWAYS AS IDENTITY, event uuid, event_key text)");
            postgres.execute(
                    "CREATE TABLE payment (n bigint GENERATED ALWAYS AS IDENTITY, event uuid, event_key text)");
            CrashingConsumer.siding(pool).migrate();
            JdbcOutboxStore store = Postgres.store(pool);
            JdbcOutbox outbox = Postgres.outbox(store);
            try (Relay relay = Relay.builder(store)
                            .route("payments", kafka)
                            .build()
                            .start();
                    Payments payments = new Payments(outbox, pool)) {
                outbox.afterCommit(relay::wakeUp);
                for (int i = 0; i < KILLS; i++) {
                    Step step = STEPS[i % STEPS.length];
                    try (ChildProcess consumer = start(postgres, broker, step)) {
                        consumer.awaitLine("AT " + step);
                        consumer.kill();
                    }
                }
                payments.stop();
                try (ChildProcess survivor = start(postgres, broker, Step.NONE)) {
                    survivor.awaitLine("STARTED");
                    await().atMost(Duration.ofMinutes(2)).until(() -> isDone(postgres, payments.written()));
                    assertExact(postgres, pool, payments.written());
                }
            }
        }
    }

    private static ChildProcess start(Postgres postgres, KafkaBroker broker, Step step) throws Exception {
        return new ChildProcess(CrashingConsumer.class, postgres.url(), broker.bootstrapServers(), step.name());
    }

    private static boolean isDone(Postgres postgres, long written) {
        return postgres.pending() == 0
                && postgres.count("SELECT count(DISTINCT event) FROM effect") >= written
                && postgres.count("SELECT count(*) FROM waybill_inbox_outbox") == 0;
    }

    private static void assertExact(Postgres postgres, HikariDataSource pool, long written) {
        long lost = postgres.count(
                "SELECT count(*) FROM payment p WHERE NOT EXISTS (SELECT 1 FROM effect e WHERE e.event = p.event)");
        long doubled = postgres.count("SELECT count(*) - count(DISTINCT event) FROM effect");
        long ghosts = postgres.count(
                "SELECT count(*) FROM effect e WHERE NOT EXISTS (SELECT 1 FROM payment p WHERE e.event = p.event)");
        long overtaken = postgres.count("""
                SELECT count(*) FROM (
                    SELECT p.n, lag(p.n) OVER (PARTITION BY e.event_key ORDER BY e.n) AS before
                    FROM effect e JOIN payment p ON p.event = e.event
                ) AS pairs WHERE before > n
                """);
        log.info(
                "{} kills, {} payments: lost {}, doubled {}, ghosts {}, out of order {}",
                KILLS,
                written,
                lost,
                doubled,
                ghosts,
                overtaken);
        assertThat(lost).isZero();
        assertThat(doubled).isZero();
        assertThat(ghosts).isZero();
        assertThat(overtaken).isZero();
        assertThat(CrashingConsumer.siding(pool).deadLetters().count(DeadLetterFilter.all()))
                .isZero();
    }

    /** Writes payments, each with its event, until it is closed: one thread, so that the order of a key is that of the table. */
    private static final class Payments implements AutoCloseable {
        private final JdbcOutbox outbox;
        private final HikariDataSource pool;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final AtomicLong written = new AtomicLong();
        private final Thread thread = new Thread(this::write, "payments");

        Payments(JdbcOutbox outbox, HikariDataSource pool) {
            this.outbox = outbox;
            this.pool = pool;
            thread.start();
        }

        private void write() {
            while (!closed.get()) {
                Event event = Event.to("payments")
                        .key("k" + ThreadLocalRandom.current().nextInt(KEYS))
                        .type("Paid")
                        .build();
                outbox.inTransaction(pool, transaction -> {
                    try (var insert = transaction
                            .connection()
                            .prepareStatement("INSERT INTO payment (event, event_key) VALUES (?, ?)")) {
                        insert.setObject(1, event.id());
                        insert.setString(2, event.key());
                        insert.executeUpdate();
                    }
                    return transaction.publish(event);
                });
                written.incrementAndGet();
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }

        long written() {
            return written.get();
        }

        /** Returns when no transaction is open any more. */
        void stop() throws InterruptedException {
            closed.set(true);
            thread.join();
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }
}
