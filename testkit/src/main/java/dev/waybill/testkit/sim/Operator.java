package dev.waybill.testkit.sim;

import static dev.waybill.testkit.store.StoreFixture.TESTER;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.Parked;
import dev.waybill.operations.Operations;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.time.Duration;
import java.util.List;

/** Decides about dead letters, sometimes hastily, and pauses destinations and keys. Not thread-safe. */
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
        for (Parked parked : world.store.deadLetters().parked(ALL)) {
            if (world.dice.chance(0.4)) {
                decide(parked);
            }
        }
        for (DeadLetter letter : world.store.deadLetters().list(DeadLetterFilter.all(), 0, ALL)) {
            if (world.dice.chance(letter.state() == DeadLetter.State.SKIPPED ? 0.05 : 0.3)) {
                redrive(letter);
            }
        }
        if (world.dice.chance(world.scenario.refusals().pauses())) {
            pauseSomething();
        }
        start();
    }

    private void pauseSomething() {
        List<Scenario.Destination> all = world.scenario.destinations();
        String destination = all.get(world.dice.between(0, all.size() - 1)).name();
        Duration length = world.dice.millis(1, 4000);
        world.tally.count("operator pauses");
        if (world.dice.chance(0.4)) {
            world.promptness.down(destination);
            world.note("operator", "pauses " + destination + " for " + length);
            operations().pauseDestination(destination, TESTER);
            world.time.schedule(length, () -> resume(destination));
        } else {
            OrderKey key = new OrderKey(destination, "k" + world.dice.between(1, world.scenario.keys()));
            if (operations().pauseKey(key, TESTER)) {
                world.note("operator", "pauses " + key + " for " + length);
                world.time.schedule(length, () -> resume(key));
            }
        }
    }

    private void resume(String destination) {
        world.note("operator", "resumes " + destination);
        operations().resumeDestination(destination, TESTER);
    }

    /** A key with a dead letter at its head by now is not resumed, and the store says so. */
    private void resume(OrderKey key) {
        if (operations().resumeKey(key, TESTER)) {
            world.note("operator", "resumes " + key);
        }
    }

    private Operations operations() {
        return world.store.operations();
    }

    /** Leaves no key parked and no dead letter undecided. */
    void decideAll() {
        operations().pauses().stream()
                .filter(pause -> pause.key() == null)
                .forEach(pause -> resume(pause.destination()));
        world.store.deadLetters().parked(ALL).forEach(this::decide);
        for (DeadLetter letter : world.store.deadLetters().list(DeadLetterFilter.all(), 0, ALL)) {
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
        if (parked.deadSequence().isEmpty()) {
            resume(key);
            return;
        }
        if (world.dice.chance(0.7)) {
            world.note("operator", "releases " + key);
            expect(world.store.deadLetters().release(key, TESTER), "release " + key);
        } else {
            long head = parked.deadSequence().orElseThrow();
            world.store
                    .deadLetters()
                    .find(head)
                    .ifPresent(letter ->
                            world.checker.excused(letter.entry().event().id()));
            if (world.dice.chance(0.3)) {
                world.note("operator", "discards #" + head + " of " + key);
                expect(world.store.deadLetters().discard(head, TESTER), "discard #" + head);
            } else {
                world.note("operator", "skips #" + head + " of " + key);
                expect(world.store.deadLetters().skip(key, TESTER), "skip " + key);
            }
        }
        world.tally.count("operator decisions");
    }

    /** Redriving the head of a parked key releases the key. */
    private void redrive(DeadLetter letter) {
        if (world.store.deadLetters().redrive(letter.entry().sequence(), TESTER)) {
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
