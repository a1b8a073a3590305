package dev.waybill.relay;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.ShardSet;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.LedgerTransport;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay without a thread: a step function over an injected clock, store and transports.
 *
 * <p>One thread at a time calls {@link #doWork}, {@link #idleFor} and {@link #beginStop}; it owns all state. Other threads
 * may call {@link #wakeUp} and {@link #status}, and transports answer from wherever they like. {@link Relay} brings the
 * thread; tests and the simulator bring their own order of steps.
 */
public final class RelayAgent {
    private static final Logger log = LoggerFactory.getLogger(RelayAgent.class);
    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final int OFTEN = 20;

    private final UUID id;
    private final OutboxStore store;
    private final LongSupplier nanoClock;
    private final long origin;
    private final RelayConfig config;
    private final Mailbox mailbox = new Mailbox();
    private final Counters counters;
    private final Depot depot;
    private final Settler settler;
    private final Courier courier;
    private final Fetcher fetcher;
    private final ShardKeeper keeper;
    private final Terms terms;
    private final Arrivals arrivals;

    private boolean stopping;
    private volatile boolean stopped;
    private long pausedUntil;
    private int storeFailures;
    private boolean saidUnpublished;
    private volatile RelayStatus status;

    /**
     * Makes a relay that owns nothing yet.
     *
     * @param id        unique for each relay that ever worked on the store
     * @param nanoClock monotonic, like {@link System#nanoTime}
     * @param registry  where it counts; an empty composite counts nothing
     * @param workers   runs what the relay need not wait for: the writing of outcomes, one batch at a time, and the reading
     *                  ahead, one portion at a time; on threads of its own or on that of the caller
     */
    public RelayAgent(
            UUID id,
            OutboxStore store,
            Routes routes,
            RelayConfig config,
            LongSupplier nanoClock,
            RandomGenerator random,
            MeterRegistry registry,
            Executor workers) {
        this.id = id;
        this.store = store;
        this.nanoClock = nanoClock;
        this.config = config;
        origin = nanoClock.getAsLong();
        counters = new Counters(registry);
        depot = new Depot(routes, config, registry);
        arrivals = new Arrivals(id, store, depot, config, counters);
        settler = new Settler(id, store, depot, config, this::now, counters, mailbox, workers, arrivals);
        List<LedgerTransport> ledgers = routes.ledgers();
        terms = new Terms(id, store, depot, ledgers, config, counters, mailbox, arrivals);
        courier =
                new Courier(depot, settler, mailbox, config, random, this::now, counters, this::maySend, terms::doubt);
        Leftovers leftovers = new Leftovers(store, depot, config, this::now);
        ReadAhead ahead = new ReadAhead(id, store, mailbox, workers);
        fetcher = new Fetcher(store, depot, settler, mailbox, config, leftovers, ahead, this::now, random, counters);
        ShardGroups groups = ledgers.isEmpty() ? null : new ShardGroups(id, store, depot, config);
        keeper = new ShardKeeper(id, store, depot, config, counters, groups, arrivals);
        status = makeStatus();
    }

    /**
     * Does what there is to do now: takes in answers, keeps leases, settles, fetches, sends.
     *
     * @return how much was done; 0: nothing, sleep for {@link #idleFor} or until woken
     */
    public int doWork() {
        if (stopped) {
            return 0;
        }
        int work = step();
        publishCounts();
        answerQuestions();
        status = makeStatus();
        return work;
    }

    /** Whatever a registry throws: the thread must live. Said once, because the next step tries it again. */
    private void publishCounts() {
        try {
            depot.destinations().forEach(destination -> destination.meters.publish());
        } catch (RuntimeException e) {
            if (!saidUnpublished) {
                log.warn(
                        "The meter registry refuses the relay's counters; deliveries go on, its figures are too low",
                        e);
                saidUnpublished = true;
            }
        }
    }

    private boolean maySend() {
        return keeper.maySend(now());
    }

    private int step() {
        long now = now();
        int work = 0;
        try {
            work += settler.collect(now);
            if (now < pausedUntil) {
                return work + exchange(now) + courier.expire(now);
            }
            // Answers taken in before that would have to be settled first, and under a steady stream it would never be
            // done.
            work += !stopping && needsAllSettled(now) ? 0 : exchange(now) + courier.expire(now);
            // Not while a batch is being written: both lock leases, and each might wait for the other.
            work += settler.isWriting() ? 0 : keeper.keep(now) + keepTerms(now);
            work += mayDelaySettling(now) ? 0 : settler.settle(now);
            if (stopping) {
                return work + finish();
            }
            // What is delivered and unsettled must not move with its key: it would be delivered once more.
            work += settler.isSettled() ? settler.moveParked() : 0;
            if (keeper.maySend(now)) {
                work += fetcher.fetch(now, settler.isSettled());
            }
            recovered();
            return work + (isFinishing(now) ? 0 : exchange(now()) + courier.expire(now));
        } catch (RuntimeException | Error e) {
            // Whatever it was: the thread must live, or its shards would stand still behind a healthy-looking relay.
            recover(e, now);
            return work + 1;
        }
    }

    private int keepTerms(long now) {
        int work = terms.keep(now);
        return work == 0 ? 0 : work + courier.forgetRecalled();
    }

    /** While answers are due that can be settled with those that are there, and nothing is to be done that must not see them. */
    private boolean mayDelaySettling(long now) {
        return courier.inFlight() > 0 && !stopping && !needsAllSettled(now) && settler.mayWait(now);
    }

    private boolean needsAllSettled(long now) {
        return fetcher.wantsLeftovers(now) || settler.wantsMoves();
    }

    /** Leaves answers where they are until what was taken in is settled. */
    private boolean isFinishing(long now) {
        return !stopping && !settler.isSettled() && needsAllSettled(now);
    }

    /**
     * Takes in answers and sends what they make room for. A transport that answers at once gets the next entry of a
     * key without a settle in between: outcomes are worth a batch.
     */
    private int exchange(long start) {
        int work = 0;
        long now = start;
        do {
            work += courier.collect(now);
            if (!keeper.maySend(now) || settler.size() >= config.batchSize()) {
                return work;
            }
            work += courier.send(now);
            // Sending took time: the leases may be about to end by now.
            now = now();
        } while (mailbox.hasAnswers());
        return work;
    }

    /** How long the caller may sleep unless something arrives; zero: not at all. */
    public Duration idleFor() {
        long now = now();
        if (stopped) {
            return config.pollInterval();
        }
        boolean finishing = isFinishing(now);
        if (!mailbox.isQuiet() || (mailbox.hasAnswers() && !finishing)) {
            return Duration.ZERO;
        }
        if (finishing && settler.isWriting()) {
            // The end of the write rings.
            return config.pollInterval();
        }
        long deadline = courier.nextTimeout();
        if (now < pausedUntil) {
            return Duration.ofNanos(Math.max(0, Math.min(pausedUntil, deadline) - now));
        }
        if (keeper.maySend(now)) {
            deadline = Math.min(deadline, nextSend(now));
        }
        if (settler.isWriting()) {
            // Its end rings; until then nothing else that writes can begin.
            deadline = Math.min(deadline, now + config.pollInterval().toNanos());
        } else {
            deadline = Math.min(deadline, Math.min(keeper.nextDeadline(), terms.nextDeadline()));
            if (settler.size() > 0) {
                deadline = Math.min(deadline, mayDelaySettling(now) ? settler.deadline() : now);
            }
        }
        return Duration.ofNanos(Math.max(0, deadline - now));
    }

    private long nextSend(long now) {
        long next = Long.MAX_VALUE;
        // With a full batch of outcomes in hand nothing is sent, not even a probe.
        if (settler.size() < config.batchSize()) {
            next = depot.hasReady() ? now : Math.min(courier.nextProbe(), courier.nextThrottled(now));
        }
        return stopping ? next : Math.min(next, fetcher.nextDeadline(now, settler.isSettled()));
    }

    /** Says that something was committed to some shards. Never blocks; callable from any thread. */
    public void wakeUp(ShardSet shards) {
        mailbox.wakeUp(shards);
    }

    /** What is sent and not yet answered, as of the next step; callable from any thread. */
    public CompletableFuture<List<Delivery>> inFlight() {
        return stopped ? CompletableFuture.completedFuture(List.of()) : mailbox.ask();
    }

    private void answerQuestions() {
        for (CompletableFuture<List<Delivery>> question = mailbox.pollQuestion();
                question != null;
                question = mailbox.pollQuestion()) {
            question.complete(courier.deliveries());
        }
    }

    /** What to run, from any thread, when a step would find something to do. */
    void onArrival(Runnable bell) {
        mailbox.onArrival(bell);
    }

    /** Sends nothing more. The caller goes on stepping until what is on its way has been settled and given back. */
    public void beginStop() {
        if (!stopping) {
            stopping = true;
            keeper.stop();
        }
    }

    public boolean isStopped() {
        return stopped;
    }

    /** What the relay was doing when its last step ended; callable from any thread. */
    public RelayStatus status() {
        return status;
    }

    public UUID id() {
        return id;
    }

    private int finish() {
        if (!depot.shards().isEmpty() || settler.isWriting()) {
            return 0;
        }
        terms.close();
        store.leave(id);
        stopped = true;
        return 1;
    }

    /**
     * The store failed: what was sent to it may have happened or not. All that is in hand is forgotten, except what has arrived, and
     * the shards are taken anew before anything is read, so that nothing of the past can still change them.
     */
    private void recover(Throwable e, long now) {
        storeFailures++;
        counters.storeFailures.increment();
        counters.lastError = e.toString();
        settler.discard();
        if (storeFailures == 1) {
            log.warn("The store failed; all shards will be taken anew", e);
        } else if (storeFailures % OFTEN == 0) {
            log.warn(
                    "The store still fails, {} times in a row; {} deliveries are to be written down: {}",
                    storeFailures,
                    arrivals.size(),
                    e.toString());
        } else {
            log.debug("The store failed again, {} times by now", storeFailures, e);
        }
        keeper.reset();
        fetcher.reset();
        long wait = Math.min(config.pollInterval().toNanos(), SHORTEST_PAUSE << Math.min(10, storeFailures - 1));
        pausedUntil = now + wait;
    }

    private void recovered() {
        if (storeFailures > 0) {
            log.info("The store answers again after {} failures", storeFailures);
            storeFailures = 0;
        }
    }

    private long now() {
        return nanoClock.getAsLong() - origin;
    }

    private RelayStatus makeStatus() {
        Map<String, String> paused = new TreeMap<>();
        for (Destination destination : depot.destinations()) {
            String reason = destination.pausedBecause;
            if (reason != null) {
                paused.put(destination.name, reason);
            }
            if (destination.stopped) {
                paused.put(destination.name, "paused by decision");
            }
        }
        return new RelayStatus(
                id,
                depot.shards().size(),
                depot.parcels(),
                courier.inFlight(),
                counters.delivered,
                counters.retried,
                counters.deadLetters,
                counters.leaseLosses,
                paused,
                Optional.ofNullable(counters.lastError));
    }
}
