package dev.waybill.testkit.sim;

import dev.waybill.relay.RelayAgent;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A relay process: the real agent, stepped by the simulator, and what may befall it. Not thread-safe. */
final class SimRelay implements Mortal {
    /** With nothing to do and no time passing between looks, a relay burns a core. */
    private static final int MAX_IDLE_SPINS = 200;

    private static final Duration SHORTEST_STEP = Duration.ofNanos(20_000);

    private static final long GONE = -1;

    private record Send(long first, long last, long at, long epoch) {}

    private final World world;
    private final Fleet fleet;
    private final String name;
    private final UUID id;
    private final double clockSpeed;
    private final SimStore store;
    private final RelayAgent agent;

    private final Map<OrderKey, Send> onTheWay = new HashMap<>();
    private final Set<Long> unsettled = new HashSet<>();
    private final Set<Long> delivered = new HashSet<>();
    /** Has arrived, and it was told that this could not be written: it has to remember that. */
    private final Set<Long> toRemember = new HashSet<>();

    private final long[] epochs = new long[Shards.COUNT];
    private long leasedFrom = Long.MIN_VALUE;
    private long nextStep = Long.MAX_VALUE;
    private long pausedUntil;
    private boolean busy;
    private boolean beside;
    private boolean dead;
    private boolean leaving;
    private int idleSpins;

    SimRelay(World world, Fleet fleet, String name) {
        this.world = world;
        this.fleet = fleet;
        this.name = name;
        id = world.dice.uuid();
        clockSpeed = world.scenario.isSound() ? 1 : world.dice.share(0.99, 1.01);
        long skew = world.scenario.faults().skew() * 1_000_000_000L;
        long origin = world.dice.between(-1_000_000, 1_000_000) + (long) (skew * world.dice.share(-1, 1));
        store = new SimStore(world, this);
        agent = new RelayAgent(
                id,
                store,
                fleet.routesOf(this),
                world.scenario.config(),
                () -> origin + (long) (world.time.now() * clockSpeed),
                world.dice.split(),
                new CompositeMeterRegistry(),
                world.dice.chance(0.3) ? Runnable::run : this::write);
    }

    /** What a thread of its own writes while the relay goes on. */
    private void write(Runnable batch) {
        world.time.schedule(world.dice.micros(20, 5000), () -> {
            beside = true;
            run(batch);
            beside = false;
            nudge();
        });
    }

    @Override
    public String name() {
        return name;
    }

    /** Whether it is another thread of the relay that is at it, beside the steps. */
    boolean isBeside() {
        return beside;
    }

    Fleet fleet() {
        return fleet;
    }

    UUID id() {
        return id;
    }

    // --- its life

    void start() {
        world.note(name, "starts as " + id);
        nudge();
    }

    boolean isAlive() {
        return !dead && !agent.isStopped();
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Asks it to stop; it does when it has finished what it began. */
    void leave() {
        world.note(name, "is asked to stop");
        leaving = true;
        nudge();
    }

    void wakeUp(ShardSet shards) {
        if (isAlive()) {
            agent.wakeUp(shards);
            nudge();
        }
    }

    @Override
    public void crash(String when) {
        if (!isAlive()) {
            return;
        }
        world.note(name, "crashes " + when);
        world.tally.count("crashes");
        mayRepeatAll();
        dead = true;
        fleet.relays.remove(this);
    }

    /** Not stepped for a while, as if its machine were suspended. */
    void pause(Duration time) {
        world.note(name, "pauses for " + time);
        world.tally.count("pauses");
        pausedUntil = world.time.now() + time.toNanos();
        world.expectUntil(time);
        world.time.at(pausedUntil, this::mayRepeatAll);
        nudge();
    }

    /** Suspended within a call while the others go on. */
    void freeze(String where) {
        Duration time =
                world.dice.upTo(world.scenario.config().lease().multipliedBy(5).dividedBy(2));
        world.note(name, "freezes " + where + " for " + time);
        world.tally.count("freezes");
        world.expectUntil(time);
        world.time.block(time);
        mayRepeatAll();
        world.note(name, "wakes up " + where);
        requireAlive();
    }

    @Override
    public void requireAlive() {
        if (dead) {
            throw new SimulatedCrash();
        }
    }

    @Override
    public boolean strikes(double probability) {
        return !world.isHealed() && probability > 0 && world.dice.chance(probability);
    }

    // --- its steps

    /** Makes it look soon, as the bell of its mailbox would. */
    private void nudge() {
        stepAt(world.time.now() + world.dice.micros(10, 1000).toNanos());
    }

    private void stepAt(long time) {
        if (time < nextStep) {
            nextStep = time;
            world.time.at(time, () -> step(time));
        }
    }

    private void step(long planned) {
        if (planned != nextStep) {
            return;
        }
        nextStep = Long.MAX_VALUE;
        // A busy one looks again when its step ends.
        if (busy || !isAlive()) {
            return;
        }
        if (world.time.now() < pausedUntil) {
            stepAt(pausedUntil);
            return;
        }
        busy = true;
        try {
            if (leaving) {
                agent.beginStop();
            }
            work();
        } catch (SimulatedCrash crash) {
            return;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            world.problem(name + " threw " + e + " at " + e.getStackTrace()[0]);
            crash("because it threw");
        } finally {
            busy = false;
        }
    }

    void advanceReplays() {
        run(() -> {
            try {
                store.advanceReplays();
            } catch (StoreException e) {
                world.note(name, "cannot carry replays on: " + e.getMessage());
            }
        });
    }

    /** Does something for it beside its steps, unless it has died. */
    void run(Runnable task) {
        if (!isAlive()) {
            return;
        }
        try {
            task.run();
        } catch (SimulatedCrash crash) {
            world.note(name, "is gone");
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            world.problem(name + " threw " + e + " at " + e.getStackTrace()[0]);
        }
    }

    private void work() {
        int work = agent.doWork();
        world.tally.count("steps");
        if (agent.isStopped()) {
            world.note(name, "has stopped");
            fleet.relays.remove(this);
            return;
        }
        Duration idle = agent.idleFor();
        if (idleSpins < MAX_IDLE_SPINS) {
            idleSpins = work == 0 && idle.compareTo(SHORTEST_STEP) < 0 ? idleSpins + 1 : 0;
        }
        checkIdle(idle);
        Duration wait = work > 0 || idle.compareTo(SHORTEST_STEP) < 0
                ? SHORTEST_STEP.plus(world.dice.micros(0, 200))
                : Duration.ofNanos((long) (idle.toNanos() / clockSpeed)).plus(world.dice.micros(0, 500));
        stepAt(world.time.now() + wait.toNanos());
    }

    private void checkIdle(Duration idle) {
        if (idle.isNegative() || idle.compareTo(world.scenario.config().lease()) > 0) {
            world.problem(name + " would sleep for " + idle + ": " + agent.status());
        }
        if (idleSpins == MAX_IDLE_SPINS) {
            // Beyond the limit from here on: once is enough.
            idleSpins++;
            world.problem(name + " has nothing to do, but does not sleep: " + agent.status());
        }
    }

    // --- what it has under way

    void leased(Collection<Lease> leases) {
        leases.forEach(lease -> epochs[lease.shard()] = lease.epoch());
    }

    /** All its leases were renewed by a call that began at this time. */
    void renewed(long time) {
        leasedFrom = time;
    }

    /** Sequences are drawn again, and what was settled may not be any more. */
    void failedOver() {
        delivered.clear();
        toRemember.clear();
        onTheWay.clear();
        // What it sends before it notices was leased by a database that is gone; the standby gives the same numbers
        // again.
        Arrays.fill(epochs, GONE);
    }

    void sending(List<Delivery> batch) {
        // It may have died in a read of its own, beside the step, without noticing.
        requireAlive();
        if (world.time.now() - leasedFrom > world.scenario.config().lease().toNanos()) {
            world.problem(name + " sends although its leases have ended.");
        }
        Delivery last = null;
        for (Delivery delivery : batch) {
            world.note(name, "sends " + World.describe(delivery));
            unsettled.add(delivery.sequence());
            if (epochs[Shards.of(delivery.event())] == GONE) {
                // Of a lease that went with its database, where the standby may have given the shard to another one, or
                // that
                // is older than it seems.
                fleet.allowDuplicates(1);
            }
            if (delivered.contains(delivery.sequence())) {
                world.problem(name + " sends " + World.describe(delivery) + ", which it has settled as delivered.");
            }
            String key = delivery.event().key();
            if (key != null) {
                OrderKey orderKey = new OrderKey(delivery.event().destination(), key);
                Send ahead = onTheWay.get(orderKey);
                if (world.keepsOrder && ahead != null && last != null && areOfOneKey(last, delivery)) {
                    onTheWay.put(orderKey, new Send(ahead.first, delivery.sendId(), ahead.at, ahead.epoch));
                } else {
                    onlyOneOfAKey(orderKey, delivery);
                }
            }
            last = delivery;
        }
    }

    static boolean areOfOneKey(Delivery one, Delivery other) {
        String key = one.event().key();
        return key != null
                && key.equals(other.event().key())
                && one.event().destination().equals(other.event().destination());
    }

    private void onlyOneOfAKey(OrderKey key, Delivery delivery) {
        long now = world.time.now();
        long epoch = epochs[key.shard()];
        Send other = onTheWay.put(key, new Send(delivery.sendId(), delivery.sendId(), now, epoch));
        long timeout = world.scenario.config().deliveryTimeout().toNanos() * 9 / 10;
        if (other != null && other.epoch == epoch && now - other.at < timeout) {
            world.problem(name + " sends " + World.describe(delivery) + " before the one before it is answered.");
        }
    }

    void answered(Delivery delivery, DeliveryResult result) {
        if (!isAlive()) {
            return;
        }
        world.note(name, "hears of " + World.describe(delivery) + ": " + result);
        if (result instanceof DeliveryResult.Delivered) {
            onTheWay.values().removeIf(send -> send.last == delivery.sendId());
        } else {
            forget(delivery);
        }
        nudge();
    }

    /** What has no answer by now has failed. */
    void sendThrew(List<Delivery> batch) {
        batch.forEach(this::forget);
    }

    private void forget(Delivery delivery) {
        onTheWay.values().removeIf(send -> send.first <= delivery.sendId() && delivery.sendId() <= send.last);
    }

    /** It was told that the outcome is written. */
    void settled(Outcome outcome) {
        forget(outcome);
        if (outcome instanceof Outcome.Delivered) {
            delivered.add(outcome.sequence());
        }
    }

    /** It was told that the shard is not its own any more: others will send this again. */
    void lost(Outcome outcome) {
        forget(outcome);
    }

    private void forget(Outcome outcome) {
        unsettled.remove(outcome.sequence());
        toRemember.remove(outcome.sequence());
    }

    /** It was told that the outcomes could not be written, but the shards are still its own. */
    void refused(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Delivered && unsettled.contains(outcome.sequence())) {
                toRemember.add(outcome.sequence());
            }
        }
        mayRepeatOthers();
    }

    /** A statement that it had given up took effect: these leases are newer than those it knows. */
    void outdated(Collection<Lease> leases) {
        leases.forEach(lease -> epochs[lease.shard()] = GONE);
    }

    /** A fault, now or before: whatever was sent and is not settled may be sent again. */
    void mayRepeatAll() {
        toRemember.clear();
        mayRepeatOthers();
    }

    /** The same, but for what it has to remember. */
    void mayRepeatOthers() {
        if (isAlive() && !world.scenario.isSound()) {
            fleet.allowDuplicates(unsettled.size() - toRemember.size());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
