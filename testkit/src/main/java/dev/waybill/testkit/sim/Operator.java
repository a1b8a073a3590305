package dev.waybill.testkit.sim;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.Parked;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.util.List;

/** Decides about dead letters, sometimes hastily. Not thread-safe. */
final class Operator {
    private static final int ALL = Integer.MAX_VALUE;

    private final World world;

    Operator(World world) {
        this.world = world;
    }

    void start() {
        world.time.schedule(world.dice.millis(500, 4000), this::visit);
    }

    private void visit() {
        if (world.isHealed()) {
            return;
        }
        for (Parked parked : world.store.parked(ALL)) {
            if (world.dice.chance(0.4)) {
                decide(parked);
            }
        }
        for (DeadLetter letter : world.store.list(0, ALL)) {
            if (world.dice.chance(letter.state() == DeadLetter.State.SKIPPED ? 0.05 : 0.3)) {
                redrive(letter);
            }
        }
        start();
    }

    /** Leaves no key parked and no dead letter undecided. */
    void decideAll() {
        world.store.parked(ALL).forEach(this::decide);
        for (DeadLetter letter : world.store.list(0, ALL)) {
            if (letter.state() == DeadLetter.State.DEAD) {
                redrive(letter);
            }
        }
    }

    private void decide(Parked parked) {
        OrderKey key = parked.parkedKey().key();
        if (parked.parkedKey().state() != ParkedKey.State.PARKED) {
            return;
        }
        if (world.dice.chance(0.7)) {
            world.note("operator", "releases " + key);
            expect(world.store.release(key), "release " + key);
        } else {
            List<DeadLetter> head = world.store.list(parked.deadSequence() - 1, 1);
            head.forEach(letter -> world.checker.excused(letter.entry().event().id()));
            world.note("operator", "skips #" + parked.deadSequence() + " of " + key);
            expect(world.store.skip(key), "skip " + key);
        }
        world.tally.count("operator decisions");
    }

    /** The head of a parked key is not redriven, and the store says so. */
    private void redrive(DeadLetter letter) {
        if (world.store.redrive(letter.entry().sequence())) {
            world.note("operator", "redrives #" + letter.entry().sequence());
            world.tally.count("operator decisions");
        }
    }

    private void expect(boolean done, String what) {
        if (!done) {
            world.problem("The operator could not " + what + ", which was parked.");
        }
    }
}
