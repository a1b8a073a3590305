package dev.waybill.testkit.sim;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.store.Ownership;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardSet;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/**
 * One relay's connection to the store: calls take time, fail before or after they took effect, take effect when the
 * caller has given up, or see the caller freeze or die. Not thread-safe.
 */
final class SimStore implements OutboxStore {
    private static final double TAKES_TIME = 0.3;

    private enum Kind {
        READ,
        CHANGE
    }

    /** What the store does once a call has reached it. */
    private interface Statement<T> {
        T execute();
    }

    private final World world;
    private final SimRelay relay;
    private final Server server;
    private final FenceCheck fence;

    SimStore(World world, SimRelay relay) {
        this.world = world;
        this.relay = relay;
        server = relay.fleet().server;
        server.knows(relay.id());
        fence = new FenceCheck(world, relay);
    }

    @Override
    public Ownership renew(UUID id, Duration lease) {
        long began = world.time.now();
        Ownership ownership = call("renew", Kind.CHANGE, () -> server.change(store -> store.renew(id, lease)));
        relay.renewed(began);
        return ownership;
    }

    @Override
    public List<Lease> take(UUID id, ShardSet among, int atMost, Duration lease) {
        List<Lease> taken =
                call("take " + atMost, Kind.CHANGE, () -> server.change(store -> store.take(id, among, atMost, lease)));
        if (!taken.isEmpty()) {
            world.note(relay.name(), "took " + taken.size() + " shards");
        }
        relay.leased(taken);
        return taken;
    }

    @Override
    public List<Lease> retake(UUID id, Duration lease) {
        // Also long after the fault, when a take of unknown outcome turns out to have happened.
        relay.mayRepeatOthers();
        List<Lease> taken = call("retake", Kind.CHANGE, () -> server.change(store -> store.retake(id, lease)));
        world.note(relay.name(), "took its " + taken.size() + " shards anew");
        relay.leased(taken);
        return taken;
    }

    @Override
    public void giveBack(UUID id, Collection<Lease> leases) {
        world.note(relay.name(), "gives back " + leases.size() + " shards");
        List<Lease> given = List.copyOf(leases);
        call(
                "giveBack",
                Kind.CHANGE,
                () -> server.change(store -> {
                    store.giveBack(id, given);
                    return true;
                }));
    }

    @Override
    public void withdraw(UUID id) {
        call(
                "withdraw",
                Kind.CHANGE,
                () -> server.change(store -> {
                    store.withdraw(id);
                    return true;
                }));
    }

    @Override
    public void leave(UUID id) {
        call(
                "leave",
                Kind.CHANGE,
                () -> server.change(store -> {
                    store.leave(id);
                    return true;
                }));
    }

    @Override
    public Scan scan(UUID id, List<ScanCursor> cursors) {
        if (relay.isBeside()) {
            world.tally.count("reads ahead");
        }
        return call("scan", Kind.READ, () -> server.store().scan(id, cursors));
    }

    /** With nothing in it that a peek may leave out. */
    @Override
    public Scan peek(UUID id, List<ScanCursor> cursors) {
        Scan scan = call("peek", Kind.READ, () -> server.store().scan(id, cursors));
        return new Scan(scan.pages(), Set.of(), 0, scan.paused());
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        return call("readLanes", Kind.READ, () -> server.store().readLanes(lanes));
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
        return call("readKeys", Kind.READ, () -> server.store().readKeys(keys, limit));
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        return call("readEntries", Kind.READ, () -> server.store().readEntries(shard, sequences));
    }

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        return call("readDue", Kind.READ, () -> server.store().readDue(shards, after, limit));
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        return call("readParked", Kind.READ, () -> server.store().readParked(shards));
    }

    @Override
    public Set<Integer> settle(UUID id, Collection<Lease> leases, List<Outcome> outcomes) {
        List<Lease> held = List.copyOf(leases);
        List<Outcome> batch = List.copyOf(outcomes);
        requireRoom("settle", batch);
        Set<Integer> lost = call("settle", Kind.CHANGE, () -> settleNow(id, held, batch));
        for (Outcome outcome : batch) {
            if (lost.contains(outcome.shard())) {
                relay.lost(outcome);
            } else {
                relay.settled(outcome);
            }
        }
        return lost;
    }

    private Set<Integer> settleNow(UUID id, List<Lease> leases, List<Outcome> outcomes) {
        List<Entry> skipped = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Died died && died.policy() == DeadLetterPolicy.SKIP)
                .flatMap(outcome -> server.store().readEntries(outcome.shard(), List.of(outcome.sequence())).stream())
                .toList();
        List<Integer> shards = outcomes.stream().map(Outcome::shard).distinct().toList();
        Set<Integer> lost = fence.watch(
                "settles " + outcomes,
                leases,
                shards,
                () -> server.changeAll(
                        contents -> contents.store.settle(id, leases, outcomes), () -> mayRepeat(outcomes)),
                (all, shard) -> all.contains(shard));
        if (relay.fleet() != world.fleet) {
            long dead = outcomes.stream()
                    .filter(outcome -> outcome instanceof Outcome.Died && !lost.contains(outcome.shard()))
                    .count();
            world.tally.count("consumer dead letters", dead);
        }
        // The entry of a lost shard is still there, and nothing happened to it.
        skipped.stream().filter(entry -> isDead(entry.event().id())).forEach(relay.fleet()::excuse);
        return lost;
    }

    /** A standby has not heard that they are settled. */
    private void mayRepeat(List<Outcome> outcomes) {
        relay.fleet().allowDuplicates(outcomes.size());
    }

    private boolean isDead(UUID event) {
        return server.store().deadLetters().list(DeadLetterFilter.all(), 0, Integer.MAX_VALUE).stream()
                .anyMatch(letter -> letter.entry().event().id().equals(event));
    }

    @Override
    public OptionalInt hold(UUID id, Lease lease, KeyCursor stretch, int limit) {
        requireRoom("hold", List.of());
        return call(
                "hold",
                Kind.CHANGE,
                () -> fence.watch(
                        "holds " + stretch.key(),
                        List.of(lease),
                        List.of(lease.shard()),
                        () -> server.change(store -> store.hold(id, lease, stretch, limit)),
                        (moved, shard) -> moved.isEmpty()));
    }

    @Override
    public OptionalInt restore(UUID id, Lease lease, OrderKey key, int limit) {
        requireRoom("restore", List.of());
        return call(
                "restore",
                Kind.CHANGE,
                () -> fence.watch(
                        "restores " + key,
                        List.of(lease),
                        List.of(lease.shard()),
                        () -> server.change(store -> store.restore(id, lease, key, limit)),
                        (moved, shard) -> moved.isEmpty()));
    }

    @Override
    public int advanceReplays() {
        return call("advanceReplays", Kind.CHANGE, () -> server.change(OutboxStore::advanceReplays));
    }

    @Override
    public boolean hasRunningReplays() {
        return call("hasRunningReplays", Kind.READ, () -> server.store().hasRunningReplays());
    }

    @Override
    public int clean() {
        return call("clean", Kind.CHANGE, () -> server.change(OutboxStore::clean));
    }

    private void requireRoom(String what, List<Outcome> outcomes) {
        long now = world.time.now();
        if (!world.disk.isAt(now) || world.isHealed() || world.scenario.isSound() || relay.fleet() != world.fleet) {
            return;
        }
        world.note(relay.name(), "cannot " + what + ": the disk is full");
        world.tally.count("writes to a full disk");
        world.expectUntil(world.disk.left(now));
        relay.refused(outcomes);
        throw new SimulatedStoreFailure("The disk is full: " + what);
    }

    private <T> T call(String what, Kind kind, Statement<T> statement) {
        takeTime();
        if (relay.strikes(world.scenario.faults().crashes())) {
            maybe(statement);
            relay.crash("in " + what);
            throw new SimulatedCrash();
        }
        if (relay.strikes(world.scenario.faults().store())) {
            throw fail(what, kind, statement);
        }
        if (relay.strikes(world.scenario.faults().freezes())) {
            return freeze(what, statement);
        }
        int incarnation = reach(what);
        T result = statement.execute();
        takeTime();
        requireSame(incarnation, what);
        return result;
    }

    /** Connections are made anew without a word: only what is under way when the server ends fails. */
    private int reach(String what) {
        if (server.isDown()) {
            relay.mayRepeatAll();
            world.note(relay.name(), "cannot " + what + ": the database is out of reach");
            throw new SimulatedStoreFailure("The database is out of reach: " + what);
        }
        return server.incarnation();
    }

    private void requireSame(int incarnation, String what) {
        if (server.incarnation() != incarnation) {
            relay.mayRepeatAll();
            world.note(relay.name(), "does not hear what became of " + what);
            throw new SimulatedStoreFailure("The connection was lost: " + what);
        }
    }

    private <T> T freeze(String what, Statement<T> statement) {
        if (world.dice.chance(0.5)) {
            relay.freeze("before " + what);
            reach(what);
            return statement.execute();
        }
        int incarnation = reach(what);
        T result = statement.execute();
        relay.freeze("after " + what);
        requireSame(incarnation, what);
        return result;
    }

    private <T> SimulatedStoreFailure fail(String what, Kind kind, Statement<T> statement) {
        world.tally.count("store faults");
        relay.mayRepeatAll();
        if (kind == Kind.CHANGE && world.dice.chance(0.4)) {
            Duration delay = world.dice.upTo(world.scenario.config().lease());
            world.note(relay.name(), "cannot " + what + "; it will take effect in " + delay);
            world.expectUntil(delay);
            int incarnation = server.incarnation();
            world.time.schedule(delay, () -> {
                if (server.incarnation() == incarnation) {
                    takeEffect(statement);
                }
            });
        } else {
            world.note(relay.name(), "cannot " + what + (maybe(statement) ? ", though it took effect" : ""));
        }
        return new SimulatedStoreFailure("The store is out of reach: " + what);
    }

    /** It may cost the relay leases that it took since. */
    private <T> void takeEffect(Statement<T> statement) {
        relay.mayRepeatAll();
        if (statement.execute() instanceof List<?> leases) {
            relay.outdated(leases.stream().map(Lease.class::cast).toList());
        }
    }

    /** Tosses a coin whether the store did it before things went wrong. */
    private <T> boolean maybe(Statement<T> statement) {
        if (world.dice.chance(0.5) && !server.isDown()) {
            statement.execute();
            return true;
        }
        return false;
    }

    private void takeTime() {
        relay.requireAlive();
        if (world.dice.chance(TAKES_TIME)) {
            world.time.block(world.dice.micros(50, 3000));
            relay.requireAlive();
        }
    }
}
