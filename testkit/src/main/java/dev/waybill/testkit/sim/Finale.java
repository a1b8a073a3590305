package dev.waybill.testkit.sim;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.testkit.check.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The end of a world: everything is healed, everything has to arrive within bounds, and the promises are checked. */
final class Finale {
    private static final Duration SLICE = Duration.ofMillis(250);
    private static final int ALL = Integer.MAX_VALUE;

    private final World world;
    private final Operator operator;
    private final List<Writer> writers;

    Finale(World world, Operator operator, List<Writer> writers) {
        this.world = world;
        this.operator = operator;
        this.writers = writers;
    }

    /** Returns how long it took until everything had arrived. */
    Duration play() {
        while (writers.stream().anyMatch(Writer::isWorking)) {
            pass(SLICE);
        }
        world.heal();
        bringRelays();
        Duration drained = drain();
        // Whoever still sleeps wakes up, and what is still on its way arrives.
        world.time.runUntil(world.quietFrom());
        pass(world.scenario.config().pollInterval().multipliedBy(3));
        stopRelays();
        judge();
        return drained;
    }

    private void bringRelays() {
        if (world.scenario.unrouted()) {
            List.copyOf(world.fleet.relays).forEach(SimRelay::leave);
        }
        if (!world.fleet.somebodyStays() || world.dice.chance(0.3)) {
            world.fleet.start();
        }
        world.consumers.bringRelays();
    }

    private Duration drain() {
        long start = world.time.now();
        long bound = start + bound().toNanos();
        while (!isEmpty() && world.time.now() < bound) {
            pass(SLICE);
            if (world.dice.chance(0.3)) {
                operator.decideAll();
                world.consumers.decideAll();
            }
        }
        Duration took = Duration.ofNanos(world.time.now() - start);
        if (!isEmpty()) {
            world.problem("Not everything had arrived " + took + " after everything was healed. " + verdict());
        }
        return took;
    }

    /**
     * A renewal that takes effect after its relay has died, and that lease; somebody's last time-out; backoff, probing,
     * delayed events, and the backlog; what has a limit takes the time that the limit asks for.
     */
    private Duration bound() {
        return world.scenario
                .config()
                .lease()
                .multipliedBy(2)
                .plus(world.scenario.config().deliveryTimeout())
                .plusSeconds(15)
                .plus(world.replays.remaining())
                .plus(limited());
    }

    /** A relay has the part of a destination's rate that it has of the shards, and one key may have the whole backlog. */
    private Duration limited() {
        int perSecond = world.scenario.refusals().perSecond();
        if (perSecond == 0) {
            return Duration.ZERO;
        }
        Verdict verdict = verdict();
        long backlog = verdict.lost() + verdict.pending() + world.replays.outstanding();
        long relays = world.fleet.relays.size() + 1L;
        return Duration.ofMillis(1000 * backlog * relays / perSecond);
    }

    private boolean isEmpty() {
        return operator.isDone() && world.replays.isDone() && world.fleet.outboxIsEmpty() && world.consumers.isEmpty();
    }

    private void stopRelays() {
        List<Fleet> fleets = world.fleets();
        fleets.forEach(fleet -> List.copyOf(fleet.relays).forEach(SimRelay::leave));
        pass(world.scenario.config().lease());
        for (Fleet fleet : fleets) {
            if (!fleet.relays.isEmpty()) {
                world.problem("These relays have nothing to do, but did not stop when asked: " + fleet.relays);
            }
        }
    }

    private void judge() {
        Verdict verdict = verdict();
        if (!verdict.holds()) {
            world.problem(verdict.toString());
        }
        long duplicates = verdict.duplicates() + world.replays.duplicates();
        if (duplicates > world.fleet.duplicatesAllowed()) {
            world.problem(duplicates + " duplicates, but what went wrong explains only "
                    + world.fleet.duplicatesAllowed() + ".");
        }
        world.replays.judge();
        operator.judge();
        world.consumers.judge();
    }

    /** Skipped and discarded dead letters are the only ones that need not arrive. */
    Verdict verdict() {
        Set<UUID> skipped = new HashSet<>();
        for (DeadLetter letter : store().deadLetters().list(DeadLetterFilter.all(), 0, ALL)) {
            if (letter.state() == DeadLetter.State.SKIPPED) {
                skipped.add(letter.entry().event().id());
            }
        }
        DeadLetterFilter discarded = DeadLetterFilter.all().withState(DeadLetter.State.DISCARDED);
        store().deadLetters()
                .list(discarded, 0, ALL)
                .forEach(letter -> skipped.add(letter.entry().event().id()));
        return world.checker.verdict(skipped::contains);
    }

    private MemoryOutboxStore store() {
        return world.fleet.server.store();
    }

    private void pass(Duration time) {
        world.time.runUntil(world.time.now() + time.toNanos());
    }
}
