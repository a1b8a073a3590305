package dev.waybill.relay;

import dev.waybill.operations.Administration;
import dev.waybill.operations.BacklogMeters;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ShardSet;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what was committed to an outbox, on a thread of its own, until it is closed. Thread-safe.
 *
 * <p>Any number of relays, in one or many processes, share the work of a store. Transports belong to the caller and stay
 * open.
 */
public final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** One writes, one reads ahead. */
    private static final int WORKERS = 2;

    private final RelayAgent agent;
    private final Housekeeper housekeeper;
    private final MeterRegistry registry;
    private final List<Meter> meters;
    private final Thread thread;
    private final Thread housekeeping;
    private final ExecutorService workers;
    private volatile boolean stopRequested;
    private volatile boolean killed;

    private Relay(RelayAgent agent, Housekeeper housekeeper, MeterRegistry registry, ExecutorService workers) {
        this.agent = agent;
        this.registry = registry;
        meters = RelayMeters.bind(agent, registry);
        this.housekeeper = housekeeper;
        this.workers = workers;
        thread = new Thread(this::run, "waybill-relay-" + agent.id().toString().substring(0, 8));
        thread.setDaemon(true);
        housekeeping = new Thread(
                this::keepHouse, "waybill-housekeeper-" + agent.id().toString().substring(0, 8));
        housekeeping.setDaemon(true);
        agent.onArrival(() -> LockSupport.unpark(thread));
    }

    public static Builder builder(OutboxStore store) {
        return new Builder(store);
    }

    /** Starts delivering. A relay is started once. */
    public Relay start() {
        thread.start();
        housekeeping.start();
        log.info("Relay {} started", agent.id());
        return this;
    }

    /** Says that something was committed, so that it need not wait for the next poll. Never blocks. */
    public void wakeUp() {
        agent.wakeUp(ShardSet.ALL);
    }

    /** Says that something was committed to some shards: it looks there, and at the others with its next poll. */
    public void wakeUp(ShardSet shards) {
        agent.wakeUp(shards);
    }

    public RelayStatus status() {
        return agent.status();
    }

    /**
     * What is sent and not yet answered.
     *
     * @param patience the relay's thread answers, which takes as long as its current step; empty if it takes longer
     */
    public List<Delivery> inFlight(Duration patience) {
        try {
            return agent.inFlight().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException e) {
            return List.of();
        }
    }

    public UUID id() {
        return agent.id();
    }

    /** Like {@link #stop} with half a minute of patience. */
    @Override
    public void close() {
        stop(Duration.ofSeconds(30));
    }

    /**
     * Sends nothing more, waits for answers to what is on its way, settles them and gives the shards back.
     *
     * @param patience after this the relay ends anyway: its leases expire, and what was unanswered is sent again by others
     * @return whether everything was settled
     */
    public boolean stop(Duration patience) {
        stopRequested = true;
        LockSupport.unpark(thread);
        LockSupport.unpark(housekeeping);
        boolean settled = awaitEnd(patience) && agent.isStopped();
        meters.forEach(registry::remove);
        if (!settled) {
            kill();
        }
        log.info("Relay {} stopped{}", agent.id(), settled ? "" : " before everything was settled");
        return settled;
    }

    /** Ends at once as a crash would: nothing is settled or given back. For tests of what happens then. */
    public void kill() {
        killed = true;
        meters.forEach(registry::remove);
        // No interrupt: it would close the files of an embedded database under everybody else.
        LockSupport.unpark(thread);
        LockSupport.unpark(housekeeping);
        awaitEnd(Duration.ofSeconds(5));
    }

    private boolean awaitEnd(Duration patience) {
        if (Thread.currentThread() == thread) {
            return false;
        }
        try {
            long end = System.nanoTime() + patience.toNanos();
            thread.join(Math.max(1, patience.toMillis()));
            housekeeping.join(
                    Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
            if (!thread.isAlive()) {
                workers.awaitTermination(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        try {
            while (!killed && !agent.isStopped()) {
                if (stopRequested) {
                    agent.beginStop();
                }
                if (agent.doWork() == 0) {
                    // Rung by every arrival: one that comes before this line makes it return at once.
                    LockSupport.parkNanos(Math.max(1, agent.idleFor().toNanos()));
                }
            }
        } finally {
            // What it began to write it may finish: it is like a statement of a process that has died.
            workers.shutdown();
        }
    }

    private void keepHouse() {
        while (!killed && !stopRequested) {
            housekeeper.doWork();
            LockSupport.parkNanos(Math.max(1, housekeeper.idleFor().toNanos()));
        }
    }

    /** Collects what a relay needs; not thread-safe. */
    public static final class Builder {
        private final OutboxStore store;
        private final Routes.Builder routes = Routes.builder();
        private RelayConfig config = RelayConfig.defaults();
        private MeterRegistry registry = new CompositeMeterRegistry();

        private Builder(OutboxStore store) {
            this.store = store;
        }

        public Builder route(String destination, Transport transport) {
            return route(destination, Route.to(transport));
        }

        public Builder route(String destination, Route route) {
            routes.route(destination, route);
            return this;
        }

        /** The route of every destination that has none of its own. */
        public Builder otherwise(Route route) {
            routes.otherwise(route);
            return this;
        }

        public Builder config(RelayConfig config) {
            this.config = config;
            return this;
        }

        /** Where the relay counts what it does; the names are in docs/metrics.md. Without it nothing is counted. */
        public Builder metrics(MeterRegistry registry) {
            this.registry = registry;
            return this;
        }

        /** Makes a relay that is not yet started. */
        public Relay build() {
            UUID id = UUID.randomUUID();
            ExecutorService workers = Executors.newFixedThreadPool(
                    WORKERS,
                    work -> daemon(work, "waybill-worker-" + id.toString().substring(0, 8)));
            RelayAgent agent = new RelayAgent(
                    id,
                    store,
                    routes.build(),
                    config,
                    System::nanoTime,
                    RandomGenerator.getDefault(),
                    registry,
                    workers);
            return new Relay(agent, new Housekeeper(store, backlog(), registry, System::nanoTime), registry, workers);
        }

        private static Thread daemon(Runnable work, String name) {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        }

        private @Nullable BacklogMeters backlog() {
            return store instanceof Administration administration && counts()
                    ? new BacklogMeters(administration.operations(), registry)
                    : null;
        }

        /** Sampling the backlog for nobody would be a waste. */
        private boolean counts() {
            return !(registry instanceof CompositeMeterRegistry composite)
                    || !composite.getRegistries().isEmpty();
        }
    }
}
