package dev.waybill.testkit.sim;

import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryStoreSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The database server that everybody talks to: it may restart, or leave its place to a standby that has not heard of the last
 * changes. Not thread-safe.
 *
 * <p>What a standby does not know was never committed: transactions, deliveries that were settled, decisions of people, and
 * the sequences that were drawn. Leases are those of a server: nobody has one on the standby.
 */
final class Server {

    /** Something that was done to the contents, and what to do should it turn out that it was not. */
    private record Change(Instant at, Statement<?> statement, Runnable undone) {}

    /** Something that is done to the contents. */
    interface Statement<T> {
        T execute(Replica contents);
    }

    private final World world;
    private final String name;
    private final MemoryStoreSettings settings;
    private final boolean replicated;
    private final Set<Runnable> open = new LinkedHashSet<>();
    private final Set<UUID> relays = new LinkedHashSet<>();
    private List<Change> log = new ArrayList<>();
    private Replica replica;
    private long downUntil;
    private int incarnation;

    /**
     * A server that is up.
     *
     * @param replicated whether it has a standby
     */
    Server(World world, String name, MemoryStoreSettings settings, boolean replicated) {
        this.world = world;
        this.name = name;
        this.settings = settings;
        this.replicated = replicated;
        replica = newReplica();
    }

    private Replica newReplica() {
        return new Replica(world.time, settings, world.scenario.strict());
    }

    /** For those who only read. */
    MemoryOutboxStore store() {
        return replica.store;
    }

    // --- changes

    <T> T change(Function<MemoryOutboxStore, T> change) {
        return changeAll(contents -> change.apply(contents.store), () -> {});
    }

    void change(Consumer<Replica> change, Runnable undone) {
        changeAll(
                contents -> {
                    change.accept(contents);
                    return true;
                },
                undone);
    }

    <T> T changeAll(Statement<T> change, Runnable undone) {
        if (replicated && !world.isHealed()) {
            log.add(new Change(world.time.instant(), change, undone));
        }
        return change.execute(replica);
    }

    /** A relay that may have leases. */
    void knows(UUID relay) {
        relays.add(relay);
    }

    // --- what goes wrong with it

    boolean isDown() {
        return world.time.now() < downUntil;
    }

    /** Whoever began something under another number will not hear of it again. */
    int incarnation() {
        return incarnation;
    }

    /** Whoever has something open is told when the server ends. */
    void opened(Runnable ending) {
        open.add(ending);
    }

    void closed(Runnable ending) {
        open.remove(ending);
    }

    void heal() {
        downUntil = 0;
    }

    void restart() {
        if (!isDown()) {
            world.tally.count("database restarts");
            end(world.dice.millis(1, 3000));
        }
    }

    private void end(Duration down) {
        world.note(name, "ends, and is out of reach for " + down);
        incarnation++;
        List.copyOf(open).forEach(Runnable::run);
        open.clear();
        downUntil = world.time.now() + down.toNanos();
        world.expectUntil(down);
    }

    /** A standby takes over that is behind by up to two seconds. */
    void failOver() {
        if (!replicated || isDown()) {
            return;
        }
        world.tally.count("failovers");
        Duration behind = world.dice.upTo(Duration.ofSeconds(2));
        end(world.dice.millis(1, 3000));
        Instant heard = world.time.instant().minus(behind);
        int known =
                (int) log.stream().filter(change -> !change.at.isAfter(heard)).count();
        List<Change> lost = List.copyOf(log.subList(known, log.size()));
        log = new ArrayList<>(log.subList(0, known));
        world.note(
                name, "fails over to a standby that is behind by " + behind + ": " + lost.size() + " changes are gone");
        world.tally.count("changes undone", lost.size());
        lost.forEach(change -> change.undone.run());
        replica = newReplica();
        log.forEach(change -> replica.repeat(change.at, () -> repeat(change)));
        change(Replica::rollbackAll, () -> {});
        change(store -> {
            relays.forEach(store::leave);
            return true;
        });
    }

    /** What was refused is refused again. */
    private void repeat(Change change) {
        try {
            change.statement.execute(replica);
        } catch (RuntimeException e) {
            world.note(name, "refuses again: " + e.getMessage());
        }
    }
}
