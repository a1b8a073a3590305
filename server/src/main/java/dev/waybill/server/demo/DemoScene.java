package dev.waybill.server.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.WaybillException;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.server.demo.Snapshot.Phase;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.testkit.check.Verdict;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Shop, relays and consumer around one database: sets them up, lets them play, and judges. */
final class DemoScene implements AutoCloseable {
    /** How long relays may take to deliver what is left, the lease of a killed one included. */
    static final Duration DRAIN = Duration.ofSeconds(30).plus(DemoConfig.LEASE);

    private static final Duration DRAIN_CHECK = Duration.ofMillis(50);
    private static final int RELAY_CONNECTIONS = 3;
    private static final RelayConfig RELAY = RelayConfig.defaults()
            .withLease(DemoConfig.LEASE)
            .withProbe(Duration.ofMillis(100), Duration.ofMillis(500));

    private final DemoConfig config;
    private final ScratchDatabase database;
    private final HikariDataSource viewPool;
    private volatile long start = System.nanoTime();
    private final MeterRegistry registry;
    private final Latencies latencies;
    private final Ledger ledger;
    private final @Nullable FaultyConsumer consumer;
    private final DemoDestination destination;
    private final Incidents chaosIncidents = new Incidents(this::elapsed);
    private final Incidents errors = new Incidents(this::elapsed);
    private final Backlogs backlogs;
    private final Fleet fleet;
    private final Shop shop;
    private final Chaos chaos;
    private final Sampler sampler;

    private DemoScene(
            DemoConfig config,
            ScratchDatabase database,
            MeterRegistry registry,
            HikariDataSource viewPool,
            BiFunction<Ledger, @Nullable FaultyConsumer, DemoDestination> destinations)
            throws SQLException {
        this.config = config;
        this.database = database;
        this.registry = registry;
        this.viewPool = viewPool;
        latencies = new Latencies(Sampler.RECENT);
        ledger = new Ledger(latencies);
        consumer = config.faults() ? FaultyConsumer.start(database, ledger, registry, chaosIncidents) : null;
        destination = destinations.apply(ledger, consumer);
        backlogs = new Backlogs(viewPool, database.tablePrefix());
        fleet = new Fleet(config.relays(), this::startRelay);
        shop = shop();
        chaos = new Chaos(fleet, destination, chaosIncidents, RandomGenerator.getDefault());
        sampler = new Sampler(
                this::elapsed, ledger, latencies, backlogs, fleet, destination, consumer, chaosIncidents, errors);
    }

    /** Makes the tables in an empty database, and everything around it. */
    static DemoScene set(
            DemoConfig config,
            ScratchDatabase database,
            MeterRegistry registry,
            BiFunction<Ledger, @Nullable FaultyConsumer, DemoDestination> destinations) {
        HikariDataSource viewPool = database.pool("demo-view", 2);
        try {
            store(config, database, viewPool).migrate();
            Shop.createTable(viewPool, database.table(Shop.TABLE));
            return new DemoScene(config, database, registry, viewPool, destinations);
        } catch (UsageException e) {
            viewPool.close();
            throw e;
        } catch (SQLException | RuntimeException e) {
            viewPool.close();
            throw new UsageException(
                    "the tables could not be made in " + database.description() + ": " + e.getMessage(), e);
        }
    }

    /** Writes until told to stop, or for as long as was asked for; then waits until everything has arrived. */
    DemoReport play(DemoView view, CountDownLatch stopped) {
        // Starting a broker took its time; the run begins now.
        start = System.nanoTime();
        fleet.startAll();
        shop.open();
        if (config.chaos()) {
            chaos.start();
        }
        if (consumer != null) {
            consumer.beginFaults();
        }
        do {
            view.show(sampler.next(Phase.RUNNING));
        } while (!await(stopped, untilNextLook()) && !isOver());
        shop.close();
        chaos.close();
        if (consumer != null) {
            consumer.heal();
        }
        drain(view);
        Duration played = elapsed();
        view.show(sampler.next(Phase.DONE));
        fleet.close();
        return report(played);
    }

    @Override
    public void close() {
        shop.close();
        chaos.close();
        fleet.close();
        destination.close();
        if (consumer != null) {
            consumer.close();
        }
        viewPool.close();
    }

    private void drain(DemoView view) {
        Duration bound = elapsed().plus(DRAIN);
        Duration nextLook = elapsed();
        while ((pending() > 0 || !isConsumerDrained()) && elapsed().compareTo(bound) < 0) {
            if (elapsed().compareTo(nextLook) >= 0) {
                view.show(sampler.next(Phase.DRAINING));
                nextLook = elapsed().plus(Sampler.INTERVAL);
            }
            await(new CountDownLatch(1), DRAIN_CHECK);
        }
        Duration left = bound.minus(elapsed());
        if (!destination.awaitArrivals(left.isNegative() ? Duration.ZERO : left)) {
            errors.addOnce("view: the consumer has not read everything");
        }
    }

    /** Has what is dead tried again, as long as there is something. */
    private boolean isConsumerDrained() {
        if (consumer == null) {
            return true;
        }
        try {
            consumer.redriveAll();
            return consumer.isDrained();
        } catch (IllegalStateException | WaybillException e) {
            errors.addOnce("view: " + e.getMessage());
            return false;
        }
    }

    /** An unreachable database still has what it had. */
    private long pending() {
        try {
            return backlogs.now().pending();
        } catch (IllegalStateException e) {
            errors.addOnce("view: " + e.getMessage());
            return 1;
        }
    }

    private DemoReport report(Duration played) {
        Set<UUID> stillThere = backlogs.ids();
        return new DemoReport(
                database.description(),
                destination.description(),
                config,
                played.toMillis() / 1e3,
                verdict(stillThere),
                backlogs.now().pending(),
                backlogs.deadLetters(),
                latencies.overall(),
                chaos.faults(),
                consumer == null ? null : consumer.state());
    }

    /** A consumer with effects is judged by these, not by what its handlers saw. */
    private Verdict verdict(Set<UUID> stillThere) {
        Verdict seen = ledger.verdict(stillThere::contains);
        return consumer == null ? seen : consumer.effects().verdict(seen.rolledBack(), seen.undecided());
    }

    private DemoRelay startRelay(int number) {
        HikariDataSource pool = database.pool("demo-relay-" + number, RELAY_CONNECTIONS);
        Transport transport = destination.transport();
        try {
            Relay relay = Relay.builder(store(config, database, pool))
                    .route(Shop.DESTINATION, transport)
                    .config(RELAY)
                    .metrics(registry)
                    .build();
            relay.start();
            return new DemoRelay(relay, transport, pool);
        } catch (WaybillException e) {
            transport.close();
            pool.close();
            throw e;
        }
    }

    private Shop shop() {
        HikariDataSource pool = database.pool("demo-shop", Shop.writers(config));
        JdbcOutbox outbox = new JdbcOutbox(store(config, database, pool), OutboxConfig.defaults(), registry);
        outbox.afterCommit(fleet::wakeUp);
        return new Shop(config, pool, database.table(Shop.TABLE), outbox, ledger, errors);
    }

    private static JdbcOutboxStore store(DemoConfig config, ScratchDatabase database, DataSource dataSource) {
        // A statement that hangs must end before the lease does, or nobody could take the shards over.
        JdbcStoreConfig store = JdbcStoreConfig.defaults()
                .withTablePrefix(database.tablePrefix())
                .withStatementTimeout(DemoConfig.LEASE.dividedBy(2))
                .withRetention(config.retention());
        return JdbcOutboxStore.create(dataSource, store);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private boolean isOver() {
        return config.duration() != null && elapsed().compareTo(config.duration()) >= 0;
    }

    private Duration untilNextLook() {
        if (config.duration() == null) {
            return Sampler.INTERVAL;
        }
        Duration left = config.duration().minus(elapsed());
        return left.compareTo(Sampler.INTERVAL) < 0 ? left : Sampler.INTERVAL;
    }

    private static boolean await(CountDownLatch latch, Duration time) {
        try {
            return latch.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
