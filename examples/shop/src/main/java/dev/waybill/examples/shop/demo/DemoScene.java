package dev.waybill.examples.shop.demo;

import dev.waybill.WaybillException;
import dev.waybill.examples.shop.demo.Audit.Findings;
import dev.waybill.examples.shop.demo.Snapshot.Phase;
import dev.waybill.examples.shop.orders.OrderService;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.testkit.check.Verdict;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The shop and its customers around one database: lets them play, and judges. */
final class DemoScene implements AutoCloseable {
    /** How long it may take until everything has arrived. */
    static final Duration DRAIN = Duration.ofMinutes(3);

    /** How long nothing may arrive meanwhile, the lease of a killed relay included. */
    private static final Duration STANDSTILL = Duration.ofSeconds(30).plus(DemoConfig.LEASE);

    private static final Duration DRAIN_CHECK = Duration.ofMillis(100);

    private final DemoConfig config;
    private final ScratchDatabase database;
    private final Carrier carrier;
    private volatile long start = System.nanoTime();
    private final Latencies latencies = new Latencies(Sampler.RECENT);
    private final Latencies roundTrips = new Latencies(Sampler.RECENT);
    private final Ledger ledger = new Ledger(new OrderTimes(latencies, roundTrips));
    private final Incidents chaosIncidents = new Incidents(this::elapsed);
    private final Incidents errors = new Incidents(this::elapsed);
    private final HeapWatch heap = new HeapWatch();
    private final @Nullable Faults faults;
    private final @Nullable PaymentsDesk payments;
    private final Shop shop;
    private final Backlogs backlogs;
    private final Audit audit;
    private final Fleet fleet;
    private final Customers customers;
    private final Chaos chaos;
    private final H2Compaction compaction;
    private final Sampler sampler;

    /** Starts the services in an empty database. */
    DemoScene(DemoConfig config, ScratchDatabase database, Carrier carrier, MeterRegistry registry) {
        this.config = config;
        this.database = database;
        this.carrier = carrier;
        faults = config.faults() ? new Faults(chaosIncidents, RandomGenerator.getDefault()) : null;
        shop = Shop.open(config, database, carrier, new Watcher(ledger, faults), registry);
        payments = faults == null ? null : new PaymentsDesk(shop.service(Shop.PAYMENTS), faults, chaosIncidents);
        backlogs = new Backlogs(shop.services());
        audit = new Audit(name -> shop.service(name).unit().dataSource());
        fleet = new Fleet(shop.services(), config.relays());
        customers = customers();
        chaos = new Chaos(fleet, carrier, chaosIncidents, RandomGenerator.getDefault());
        compaction = new H2Compaction(shop.services());
        sampler = new Sampler(
                this::elapsed,
                ledger,
                latencies,
                roundTrips,
                backlogs,
                fleet,
                shop.services(),
                carrier,
                payments,
                chaosIncidents,
                errors);
    }

    /** Lets customers order until told to stop, or for as long as was asked for; then waits until all took effect. */
    DemoReport play(DemoView view, CountDownLatch stopped) {
        // Starting took its time; the run begins now.
        start = System.nanoTime();
        fleet.startAll();
        compaction.start();
        customers.start();
        if (config.chaos()) {
            chaos.start();
        }
        if (faults != null) {
            faults.start();
        }
        do {
            view.show(sampler.next(Phase.RUNNING));
            heap.look(elapsed());
        } while (!await(stopped, untilNextLook()) && !isOver());
        customers.close();
        chaos.close();
        if (payments != null) {
            payments.heal();
        }
        Findings findings = drain(view);
        Duration played = elapsed();
        view.show(sampler.next(Phase.DONE));
        fleet.close();
        return report(played, findings);
    }

    @Override
    public void close() {
        customers.close();
        chaos.close();
        compaction.close();
        fleet.close();
        if (faults != null) {
            faults.close();
        }
        shop.close();
    }

    private Findings drain(DemoView view) {
        Duration bound = elapsed().plus(DRAIN);
        Duration standstill = elapsed().plus(STANDSTILL);
        Duration nextLook = elapsed();
        long arrived = 0;
        while (elapsed().compareTo(bound) < 0 && elapsed().compareTo(standstill) < 0) {
            if (ledger.effects() > arrived) {
                arrived = ledger.effects();
                standstill = elapsed().plus(STANDSTILL);
            }
            if (elapsed().compareTo(nextLook) >= 0) {
                view.show(sampler.next(Phase.DRAINING));
                nextLook = elapsed().plus(Sampler.INTERVAL);
            }
            if (isDrained()) {
                Findings findings = audit.run();
                // What is in nobody's outbox may still be on its way through Kafka.
                if (findings.isComplete()) {
                    return findings;
                }
            }
            await(new CountDownLatch(1), DRAIN_CHECK);
        }
        return audit.run();
    }

    /** Has what is dead tried again, as long as there is something. An unreachable database still has what it had. */
    private boolean isDrained() {
        try {
            if (payments != null) {
                payments.redriveAll();
            }
            return backlogs.now().pending() == 0
                    && backlogs.waiting() == 0
                    && (payments == null || payments.state().dead() == 0);
        } catch (IllegalStateException | WaybillException e) {
            errors.addOnce("view: " + e.getMessage());
            return false;
        }
    }

    private DemoReport report(Duration played, Findings findings) {
        long pending = backlogs.waiting();
        long dead = backlogs.deadLetters();
        return new DemoReport(
                database.description(),
                carrier.description(),
                config,
                played.toMillis() / 1e3,
                verdict(findings, pending + dead),
                findings.doubled(),
                pending,
                dead,
                latencies.overall(),
                roundTrips.overall(),
                heap.end(),
                chaos.faults(),
                payments == null ? null : payments.state());
    }

    /** An order that lacks something is not lost if it can be one of those that still wait. */
    private Verdict verdict(Findings findings, long waiting) {
        return new Verdict(
                findings.orders(),
                ledger.soFar(0).rolledBack(),
                0,
                ledger.undecided(),
                findings.complete(),
                sampler.duplicates(),
                Math.min(findings.missing(), waiting),
                Math.max(0, findings.missing() - waiting),
                findings.ghosts(),
                findings.outOfOrder(),
                findings.examples());
    }

    private Customers customers() {
        Service orders = shop.service(Shop.ORDERS);
        return new Customers(
                config,
                orders.bean(OrderService.class),
                new TransactionTemplate(orders.bean(PlatformTransactionManager.class)),
                ledger,
                errors);
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
