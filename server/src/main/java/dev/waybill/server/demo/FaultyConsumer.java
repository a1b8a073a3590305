package dev.waybill.server.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Bulk;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.relay.Relay;
import dev.waybill.resilience.BreakerConfig;
import dev.waybill.resilience.Resilience;
import dev.waybill.resilience.ResilienceConfig;
import dev.waybill.resilience.ResilientOperations;
import dev.waybill.resilience.RetryConfig;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.server.demo.Snapshot.ConsumerState;
import dev.waybill.server.metrics.BreakerStates;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/** A consumer with an inbox, a circuit breaker and a database of effects, that fails in all ways until healed. Thread-safe. */
final class FaultyConsumer implements AutoCloseable {
    static final String NAME = "warehouse";

    private static final int THREADS = 8;
    private static final int SIDING_CONNECTIONS = 4;
    private static final ResilienceConfig RESILIENCE = ResilienceConfig.defaults()
            .withBreaker(
                    BreakerConfig.defaults().withOpenTime(Duration.ofSeconds(1)).withCountWindow(20, 10))
            .withRetry(
                    RetryConfig.defaults().withMaxAttempts(5).withWaits(Duration.ofMillis(100), Duration.ofSeconds(1)));

    private final Ledger ledger;
    private final Faults faults;
    private final Incidents incidents;
    private final HikariDataSource pool;
    private final HikariDataSource sidingPool;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final Effects effects;
    private final JdbcOutboxStore siding;
    private final Resilience resilience;
    private final InboxConsumer<Connection> consumer;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "demo-consumer");
        thread.setDaemon(true);
        return thread;
    });
    private final Relay relay;

    private FaultyConsumer(ScratchDatabase database, Ledger ledger, MeterRegistry served, Incidents incidents) {
        this.ledger = ledger;
        this.incidents = incidents;
        faults = new Faults(incidents, RandomGenerator.getDefault());
        pool = database.pool("demo-consumer", THREADS + 1);
        sidingPool = database.pool("demo-siding", SIDING_CONNECTIONS);
        effects = new Effects(pool, database.table("effect"), database.table(Shop.TABLE));
        siding = JdbcOutboxStore.create(
                sidingPool, JdbcStoreConfig.defaults().withTablePrefix(database.tablePrefix() + "inbox_"));
        siding.migrate();
        registry.add(meters);
        registry.add(served);
        resilience = ResilientOperations.create(RESILIENCE, registry);
        consumer = InboxConsumer.named(NAME, new JdbcInbox(pool, siding))
                .on(Shop.EVENT_TYPE, this::handle)
                .guard(resilience.guard())
                .config(InboxConfig.defaults().withRetry(resilience.retryPolicy(NAME)))
                .metrics(registry)
                .build();
        relay = SidingRelay.start(siding, threads, registry, consumer);
    }

    /** Makes its tables beside those of the shop, and waits for events. */
    static FaultyConsumer start(ScratchDatabase database, Ledger ledger, MeterRegistry served, Incidents incidents)
            throws SQLException {
        FaultyConsumer consumer = new FaultyConsumer(database, ledger, served, incidents);
        consumer.effects.createTable();
        return consumer;
    }

    private void handle(Connection transaction, Delivery delivery) throws Exception {
        faults.strike(delivery.event().id());
        effects.add(transaction, delivery);
        faults.handled(delivery.event().id());
        ledger.delivered(delivery.event().id());
    }

    InboxConsumer<Connection> consumer() {
        return consumer;
    }

    ExecutorService threads() {
        return threads;
    }

    Effects effects() {
        return effects;
    }

    /** Reads a topic. What has arrived is not asked there: the effects say more. */
    KafkaArrivals read(String brokers, String topic, String group) {
        KafkaInboxConsumer reading = KafkaInboxConsumer.start(
                KafkaConsumerConfig.of(brokers, topic)
                        .withGroupId(group)
                        .withThreads(THREADS)
                        // Back soon after an outage: what is late here looks like latency of the relay.
                        .withProperty("reconnect.backoff.max.ms", "200")
                        .withProperty("retry.backoff.max.ms", "200"),
                consumer,
                registry);
        return new KafkaArrivals() {
            @Override
            public boolean awaitEnd(Duration atMost) {
                return true;
            }

            @Override
            public void close() {
                reading.close();
            }
        };
    }

    void beginFaults() {
        faults.start();
    }

    /** From now on everything works. */
    void heal() {
        faults.close();
        incidents.add("the consumer is healed");
    }

    /** What an operator does when the cause is mended: has all dead letters tried again. */
    void redriveAll() {
        Bulk open = new Bulk(siding.deadLetters(), DeadLetterFilter.all());
        if (open.count() > 0) {
            Bulk.Outcome outcome = open.redrive(Signature.of("demo operator", "the warehouse is mended"));
            incidents.add("an operator replays " + Format.count(outcome.changed(), "dead letter"));
        }
    }

    /** Whether all orders took effect, and nothing waits or is a dead letter. */
    boolean isDrained() {
        ConsumerState state = state();
        return state.aside() == 0 && state.behind() == 0 && state.dead() == 0 && effects.areComplete();
    }

    ConsumerState state() {
        // Before the counters, so that no more can be aside than was put there.
        List<OfDestination> all = siding.operations().statistics().destinations();
        return new ConsumerState(
                sum("handled"),
                sum("aside"),
                sum("deferred"),
                faults.retries(),
                all.stream().mapToLong(OfDestination::pending).sum(),
                all.stream().mapToLong(OfDestination::waiting).sum(),
                letters(State.PENDING) + letters(State.SKIPPED) + letters(State.REPLAYING),
                letters(State.RESOLVED),
                faults.outages(),
                BreakerStates.of(NAME, meters));
    }

    private long letters(State state) {
        return siding.deadLetters().count(DeadLetterFilter.all().withState(state));
    }

    private long sum(String result) {
        return (long) meters.find("inbox.events").tag("result", result).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Override
    public void close() {
        faults.close();
        relay.close();
        threads.shutdownNow();
        resilience.close();
        sidingPool.close();
        pool.close();
    }
}
