package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one key costs the others whose events all fail: its first becomes a dead letter, and the rest waits behind it. The same
 * topic is read by a new consumer again and again, in turn with and without the failures, into a durable PostgreSQL, and
 * the throughput of the other keys is compared. A measurement, not part of the build; run it with
 * {@code -Dtest=PoisonKeyMeasurement}, and {@code -Dwaybill.poison.keys} for another share of failures.
 */
class PoisonKeyMeasurement {
    private static final Logger log = LoggerFactory.getLogger(PoisonKeyMeasurement.class);
    private static final int RECORDS = Integer.getInteger("waybill.poison.records", 20_000);
    private static final int PAIRS = Integer.getInteger("waybill.poison.pairs", 7);
    private static final int KEYS = Integer.getInteger("waybill.poison.keys", 100);
    private static final int THREADS = 8;
    private static final String TOPIC = "load";
    private static final String POISON = "key-0";

    @Test
    void whatAFailingKeyCostsTheOthers(@TempDir Path folder) throws Exception {
        try (Postgres postgres = new Postgres();
                KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic(TOPIC, 4);
            postgres.execute("CREATE TABLE effect (event uuid)");
            publish(broker);
            run(postgres, broker, "warm_up_1", false);
            run(postgres, broker, "warm_up_2", true);
            List<Double> ratios = new ArrayList<>();
            for (int pair = 1; pair <= PAIRS; pair++) {
                // Each comes first in half of the pairs.
                boolean poisonFirst = pair % 2 == 0;
                double one = run(postgres, broker, "one_" + pair, poisonFirst);
                double other = run(postgres, broker, "other_" + pair, !poisonFirst);
                double ratio = poisonFirst ? one / other : other / one;
                ratios.add(ratio);
                log.warn(
                        "Pair {}: {} events/s of the other keys without failures, {} with: {}",
                        pair,
                        Math.round(poisonFirst ? other : one),
                        Math.round(poisonFirst ? one : other),
                        shown(ratio));
            }
            ratios.sort(null);
            log.warn(
                    "1 key of {} fails: the others keep {} of their throughput (median of {}; {} to {})",
                    KEYS,
                    shown(ratios.get(PAIRS / 2)),
                    PAIRS,
                    shown(ratios.get(0)),
                    shown(ratios.get(PAIRS - 1)));
            assertThat(ratios.get(PAIRS / 2)).isGreaterThanOrEqualTo(0.9);
        }
    }

    private static void publish(KafkaBroker broker) throws InterruptedException {
        CountDownLatch delivered = new CountDownLatch(RECORDS);
        try (KafkaTransport kafka = KafkaTransport.create(KafkaTransportConfig.of(broker.bootstrapServers()))) {
            List<Delivery> all = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                Event event = Event.to(TOPIC)
                        .key("key-" + i % KEYS)
                        .type("OrderPlaced")
                        .json("{\"order\":" + i + "}")
                        .build();
                all.add(new Delivery(event, i, 1, 0, i));
            }
            kafka.send(all, (delivery, result) -> delivered.countDown());
            assertThat(delivered.await(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Events of the other keys in a second. */
    private static double run(Postgres postgres, KafkaBroker broker, String name, boolean poison) throws Exception {
        int others = RECORDS - (RECORDS + KEYS - 1) / KEYS;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(others);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (HikariDataSource pool = postgres.pool(THREADS + 2);
                HikariDataSource own = postgres.pool(3)) {
            JdbcOutboxStore siding =
                    JdbcOutboxStore.create(own, JdbcStoreConfig.defaults().withTablePrefix(name + "_"));
            siding.migrate();
            InboxConsumer<Connection> consumer = InboxConsumer.named(name, new JdbcInbox(pool, siding))
                    .on("OrderPlaced", (connection, delivery) -> {
                        begun.countDown();
                        insert(connection, delivery.event());
                        if (!POISON.equals(delivery.event().key())) {
                            left.countDown();
                        } else if (poison) {
                            throw new IllegalStateException("The payment service does not know this order");
                        }
                    })
                    .config(InboxConfig.defaults()
                            .withRetry(new RetryPolicy(3, Duration.ofMillis(50), Duration.ofMillis(200))))
                    .build();
            try (Relay retries = SidingRelay.start(siding, executor, consumer);
                    KafkaInboxConsumer kafka = KafkaInboxConsumer.start(
                            KafkaConsumerConfig.of(broker.bootstrapServers(), TOPIC)
                                    .withThreads(THREADS),
                            consumer)) {
                assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
                long start = System.nanoTime();
                assertThat(left.await(10, TimeUnit.MINUTES)).isTrue();
                double seconds = (System.nanoTime() - start) / 1e9;
                long dead = poison ? 1 : 0;
                retries.wakeUp();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> siding.deadLetters().count(DeadLetterFilter.all()) == dead && !kafka.isHeldBack());
                return others / seconds;
            }
        } finally {
            executor.shutdown();
        }
    }

    private static void insert(Connection connection, Event event) throws Exception {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
            insert.setObject(1, event.id());
            insert.executeUpdate();
        }
    }

    private static String shown(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
