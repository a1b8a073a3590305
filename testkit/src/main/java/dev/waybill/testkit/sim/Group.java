package dev.waybill.testkit.sim;

import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Route;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * One consumer and its instances that read the log. Who reads a partition, and from where if somebody else takes over, is
 * decided here. Not thread-safe.
 */
final class Group {
    final String name;
    final Ledger ledger;
    final Handling handling;
    final SourceLog log;
    final Consuming consuming;

    private final World world;
    private final Database database;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<SourceLog.Partition, Session> owners = new LinkedHashMap<>();
    private final Map<SourceLog.Partition, Integer> acknowledged = new HashMap<>();
    private int made;
    private long breakerOpenUntil;

    Group(World world, Consuming consuming, String name, SourceLog log, Database database) {
        this.world = world;
        this.consuming = consuming;
        this.name = name;
        this.log = log;
        this.database = database;
        ledger = new Ledger(world, name, database.relays.server.store());
        handling = new Handling(world, consuming, name, ledger, this::rebalance);
    }

    void start() {
        for (int i = 0; i < consuming.instances(); i++) {
            instances.add(new Instance(world, this, name + "-" + ++made));
        }
        log.partitions().forEach(this::assign);
    }

    /** The consumer as it is in one process. */
    InboxConsumer<MemoryTransaction> consumerIn(Mortal process) {
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named(
                        name, new SimInbox(world, consuming, process, database.relays.server, ledger))
                .on(Handling.HERE, (transaction, delivery) -> handling.here(process, transaction, delivery))
                .onLeased(Handling.ELSEWHERE, (delivery, epoch) -> handling.elsewhere(process, delivery, epoch))
                .guard(this::guard)
                .config(consuming.config())
                .build();
        if (consuming.wakeUps()) {
            consumer.afterAside(database.relays::wakeUp);
        }
        return consumer;
    }

    private void guard(String consumer, HandlerGuard.Attempt attempt) throws Exception {
        if (world.time.now() < breakerOpenUntil) {
            world.tally.count("deferrals");
            throw new DeferredException("The breaker is open.", Duration.ofNanos(breakerOpenUntil - world.time.now()));
        }
        attempt.run();
    }

    /** Handlers run in the relay's step, or on their own while it goes on. */
    Route siding(SimRelay relay) {
        Executor executor = world.dice.chance(0.5)
                ? Runnable::run
                : task -> world.time.schedule(world.dice.micros(20, 500), () -> relay.run(task));
        Route route =
                consumerIn(relay).siding(executor, wait -> task -> world.time.schedule(wait, () -> relay.run(task)));
        SimSiding transport = new SimSiding(relay, route.transport());
        return Route.to(transport).withRetry(route.retry()).withDeadLetters(route.deadLetters());
    }

    // --- what happens to it

    void openBreaker() {
        Duration time = world.dice.millis(20, 3000);
        world.note(name, "defers everything for " + time);
        breakerOpenUntil = world.time.now() + time.toNanos();
    }

    void heal() {
        breakerOpenUntil = 0;
        handling.heal();
    }

    /** A partition moves to another instance, or to another session of the same one; best while somebody is at it. */
    void rebalance() {
        if (world.isHealed()) {
            return;
        }
        List<SourceLog.Partition> inUse = log.partitions().stream()
                .filter(partition -> owners.containsKey(partition)
                        && Objects.requireNonNull(owners.get(partition)).isHandling())
                .toList();
        SourceLog.Partition partition = world.dice.pick(inUse.isEmpty() ? log.partitions() : inUse);
        world.note(name, "moves " + partition);
        world.tally.count("rebalances");
        Session old = owners.get(partition);
        if (old != null) {
            old.revoke();
        }
        assign(partition);
    }

    void killSomebody() {
        if (!instances.isEmpty()) {
            world.dice.pick(instances).crash("between two events");
        }
    }

    void died(Instance instance) {
        instances.remove(instance);
        Duration unnoticed = world.dice.millis(5, 2000);
        world.expectUntil(unnoticed);
        world.time.schedule(unnoticed, this::replaceTheDead);
    }

    private void replaceTheDead() {
        if (instances.size() < consuming.instances()) {
            Instance instance = new Instance(world, this, name + "-" + ++made);
            instance.check();
            instances.add(instance);
        }
        for (SourceLog.Partition partition : log.partitions()) {
            Session owner = owners.get(partition);
            if (owner != null && !owner.isAlive()) {
                assign(partition);
            }
        }
    }

    private void assign(SourceLog.Partition partition) {
        if (instances.isEmpty()) {
            // The next one to start takes all that nobody has.
            return;
        }
        Session session = new Session(world, this, world.dice.pick(instances), partition, position(partition));
        owners.put(partition, session);
        session.wakeUp();
    }

    // --- what its source knows

    void given(SourceLog.Partition partition, Delivery delivery) {
        if (ledger.given(delivery)) {
            handling.decide(delivery);
        }
        Session owner = owners.get(partition);
        if (owner != null) {
            owner.wakeUp();
        }
    }

    private int position(SourceLog.Partition partition) {
        return acknowledged.getOrDefault(partition, 0);
    }

    /** Acknowledges all before a position, unless the session has lost its partition. */
    void acknowledge(Session session, SourceLog.Partition partition, int position) {
        if (owners.get(partition) == session) {
            acknowledged.put(partition, position);
        }
    }

    // --- its end

    boolean hasReadAll() {
        return log.partitions().stream()
                .allMatch(partition ->
                        position(partition) == log.records(partition).size());
    }

    void judge() {
        log.partitions().forEach(partition -> {
            if (!Objects.requireNonNull(owners.get(partition)).isAlive()) {
                world.problem("Nobody reads " + partition + " for " + name + ".");
            }
        });
        ledger.judge();
    }
}
