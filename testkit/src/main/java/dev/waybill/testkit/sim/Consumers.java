package dev.waybill.testkit.sim;

import dev.waybill.transport.Delivery;
import java.util.List;

/** All that is behind the relays: the log that they deliver to, and the consumers that read it. Not thread-safe. */
final class Consumers {
    private final World world;
    private final Consuming consuming;
    private final SourceLog log;
    private final List<Database> databases;
    private final List<Group> groups;

    Consumers(World world, Consuming consuming) {
        this.world = world;
        this.consuming = consuming;
        log = new SourceLog(world.scenario.destinations());
        databases = consuming.databases().stream()
                .map(names -> new Database(world, consuming, names, log))
                .toList();
        groups = databases.stream()
                .flatMap(database -> database.groups().stream())
                .toList();
    }

    void start() {
        if (!groups.isEmpty()) {
            world.note("world", "its consumers: " + consuming);
            groups.forEach(Group::start);
            databases.forEach(database -> database.start(consuming.relays()));
            strikeLater();
        }
    }

    List<Fleet> sidings() {
        return databases.stream().map(database -> database.relays).toList();
    }

    void arrived(Delivery delivery) {
        if (!groups.isEmpty()) {
            append(delivery);
        }
    }

    private void append(Delivery delivery) {
        SourceLog.Partition partition = log.append(delivery);
        groups.forEach(group -> group.given(partition, delivery));
    }

    private void strikeLater() {
        world.time.schedule(world.dice.millis(100, 1500), this::strike);
    }

    private void strike() {
        if (world.isHealed()) {
            return;
        }
        Consuming.Faults faults = consuming.faults();
        Group group = world.dice.pick(groups);
        if (world.dice.chance(faults.rebalances())) {
            group.rebalance();
        }
        if (world.dice.chance(faults.breaker())) {
            group.openBreaker();
        }
        if (world.dice.chance(faults.replays())) {
            replay(world.dice.pick(log.partitions()));
        }
        if (world.dice.chance(faults.crashes() * 10)) {
            group.killSomebody();
        }
        Fleet relays = world.dice.pick(databases).relays;
        if (world.dice.chance(world.scenario.faults().restarts())) {
            relays.server.restart();
        }
        if (world.dice.chance(world.scenario.refusals().moves())) {
            relays.move();
        }
        if (world.dice.chance(world.scenario.faults().disturb())) {
            relays.disturb();
        }
        relays.replaceTheDead(consuming.relays());
        strikeLater();
    }

    private void replay(SourceLog.Partition partition) {
        List<Delivery> copies = log.replay(partition, world.dice);
        world.note("chaos", "replays " + copies.size() + " of " + partition);
        world.tally.count("replayed to consumers", copies.size());
        copies.forEach(this::append);
    }

    void heal() {
        groups.forEach(Group::heal);
    }

    void bringRelays() {
        for (Database database : databases) {
            if (!database.relays.somebodyStays()) {
                database.relays.start();
            }
        }
    }

    void decideAll() {
        databases.forEach(database -> database.operator.decideAll());
    }

    boolean isEmpty() {
        return groups.stream().allMatch(Group::hasReadAll) && databases.stream().allMatch(Database::isEmpty);
    }

    void judge() {
        groups.forEach(Group::judge);
        databases.forEach(database -> database.operator.judge());
    }
}
