package dev.waybill.testkit.sim;

import dev.waybill.relay.Routes;
import dev.waybill.store.Entry;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A store and the relays that work on it. Not thread-safe. */
final class Fleet {
    private static final int MOST_RELAYS = 5;

    final Server server;
    final List<SimRelay> relays = new ArrayList<>();

    private final World world;
    private final String name;
    private final Function<SimRelay, Routes> routes;
    private final Consumer<Entry> excuse;
    private int made;
    private long duplicatesAllowed;

    /**
     * A fleet without relays.
     *
     * @param name   what its relays are called, with a number
     * @param excuse is told of each entry that gives up its place in the order
     */
    Fleet(World world, String name, Server server, Function<SimRelay, Routes> routes, Consumer<Entry> excuse) {
        this.world = world;
        this.name = name;
        this.server = server;
        this.routes = routes;
        this.excuse = excuse;
    }

    SimRelay start() {
        SimRelay relay = new SimRelay(world, this, name + "-" + ++made);
        relays.add(relay);
        relay.start();
        return relay;
    }

    Routes routesOf(SimRelay relay) {
        return routes.apply(relay);
    }

    void excuse(Entry entry) {
        excuse.accept(entry);
    }

    /** Something went wrong after which so many deliveries may be repeated. */
    void allowDuplicates(long deliveries) {
        duplicatesAllowed += deliveries;
    }

    long duplicatesAllowed() {
        return duplicatesAllowed;
    }

    void wakeUp() {
        wakeUp(ShardSet.ALL);
    }

    void wakeUp(ShardSet shards) {
        List.copyOf(relays).forEach(relay -> relay.wakeUp(shards));
    }

    /** One of them dies, or is not stepped for a while. */
    void disturb() {
        if (relays.isEmpty()) {
            return;
        }
        SimRelay relay = world.dice.pick(relays);
        if (world.dice.chance(0.4)) {
            relay.crash("between two steps");
        } else {
            relay.pause(world.dice.upTo(world.scenario.config().lease().multipliedBy(3)));
        }
    }

    /** What the relays know of sequences and leases no longer holds. */
    void failOver() {
        relays.forEach(SimRelay::mayRepeatAll);
        server.failOver();
        relays.forEach(SimRelay::failedOver);
    }

    /** One of them leaves gracefully, or another one joins. */
    void move() {
        List<SimRelay> staying =
                relays.stream().filter(relay -> !relay.isLeaving()).toList();
        if (staying.size() > 1 && world.dice.chance(0.5)) {
            world.tally.count("graceful stops");
            world.dice.pick(staying).leave();
        } else if (relays.size() < MOST_RELAYS) {
            start();
        }
    }

    void replaceTheDead(int wanted) {
        if (relays.size() < wanted && world.dice.chance(0.6)) {
            start();
        }
    }

    boolean somebodyStays() {
        return relays.stream().anyMatch(relay -> !relay.isLeaving());
    }

    /** Whether nothing is in the outbox, whatever waits behind parked keys. */
    boolean outboxIsEmpty() {
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 1, 1, Set.of()))
                .toList();
        return server.store().scan(new UUID(0, 0), cursors).pages().stream()
                .allMatch(page -> page.entries().isEmpty());
    }
}
