package dev.waybill.testkit.sim;

import static dev.waybill.testkit.store.StoreFixture.TESTER;

import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.operations.Operations;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.memory.MemoryOutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Decides about the dead letters of one store, sometimes hastily, and pauses destinations and keys. One that was tried again
 * as often as it may be is discarded. Not thread-safe.
 */
final class Operator {
    private static final int ALL = Integer.MAX_VALUE;

    private final World world;
    private final Fleet fleet;
    private final List<String> destinations;
    private final double corrects;
    private final Predicate<DeadLetter> hopeless;
    private long decisions;

    /**
     * An operator who does nothing yet.
     *
     * @param corrects share of dead letters that are corrected before they are decided about
     * @param hopeless those that are left alone in the end
     */
    Operator(World world, Fleet fleet, List<String> destinations, double corrects, Predicate<DeadLetter> hopeless) {
        this.world = world;
        this.fleet = fleet;
        this.destinations = destinations;
        this.corrects = corrects;
        this.hopeless = hopeless;
    }

    void start() {
        world.time.schedule(world.dice.millis(500, 4000), this::visit);
    }

    private void visit() {
        if (world.isHealed()) {
            return;
        }
        if (fleet.server.isDown()) {
            start();
            return;
        }
        for (Parked parked : letters().parked(ALL)) {
            if (world.dice.chance(0.4)) {
                decide(parked);
            }
        }
        for (DeadLetter letter : open()) {
            if (world.dice.chance(letter.state() == DeadLetter.State.SKIPPED ? 0.05 : 0.3)) {
                redrive(letter);
            }
        }
        if (world.dice.chance(world.scenario.refusals().pauses())) {
            pauseSomething();
        }
        if (fleet == world.fleet && world.scenario.replays() > 0 && world.dice.chance(world.scenario.replays())) {
            decisions += world.replays.start(world.dice.pick(destinations)) ? 1 : 0;
        }
        start();
    }

    private void pauseSomething() {
        String destination = destinations.get(world.dice.between(0, destinations.size() - 1));
        Duration length = world.dice.millis(1, 4000);
        world.tally.count("operator pauses");
        if (world.dice.chance(0.4)) {
            world.promptness.down(destination);
            world.note("operator", "pauses " + destination + " for " + length);
            decide(store -> store.operations().pauseDestination(destination, TESTER));
            world.time.schedule(length, () -> resume(destination));
        } else {
            OrderKey key = new OrderKey(destination, "k" + world.dice.between(1, world.scenario.keys()));
            if (decide(store -> store.operations().pauseKey(key, TESTER))) {
                world.note("operator", "pauses " + key + " for " + length);
                world.time.schedule(length, () -> resume(key));
            }
        }
    }

    private void resume(String destination) {
        if (fleet.server.isDown()) {
            world.time.schedule(world.dice.millis(1, 500), () -> resume(destination));
            return;
        }
        world.note("operator", "resumes " + destination);
        decide(store -> store.operations().resumeDestination(destination, TESTER));
    }

    /** A key with a dead letter at its head by now is not resumed, and the store says so. */
    private void resume(OrderKey key) {
        if (fleet.server.isDown()) {
            world.time.schedule(world.dice.millis(1, 500), () -> resume(key));
        } else if (decide(store -> store.operations().resumeKey(key, TESTER))) {
            world.note("operator", "resumes " + key);
        }
    }

    /** Leaves no key parked and no dead letter undecided, but for the hopeless. */
    void decideAll() {
        operations().pauses().stream()
                .filter(pause -> pause.key() == null)
                .forEach(pause -> resume(pause.destination()));
        letters().parked(ALL).stream().filter(parked -> !isHopeless(parked)).forEach(this::decide);
        for (DeadLetter letter : open()) {
            if (letter.state() == DeadLetter.State.PENDING && !hopeless.test(letter)) {
                redrive(letter);
            }
        }
    }

    /** Whether all that is left is what nobody can help. */
    boolean isDone() {
        return letters().parked(ALL).stream().allMatch(this::isHopeless)
                && open().stream()
                        .allMatch(letter -> letter.state() == DeadLetter.State.SKIPPED || hopeless.test(letter));
    }

    private boolean isHopeless(Parked parked) {
        return parked.parkedKey().state() == ParkedKey.State.PARKED
                && parked.deadSequence().stream()
                        .mapToObj(letters()::find)
                        .anyMatch(letter -> letter.filter(hopeless).isPresent());
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
        long head = parked.deadSequence().orElseThrow();
        correct(head);
        if (world.dice.chance(0.7)) {
            world.note("operator", "releases " + key);
            try {
                expect(decide(store -> store.deadLetters().release(key, TESTER)), "release " + key);
            } catch (ReplayLimitException e) {
                discard(head);
            }
        } else if (world.dice.chance(0.3)) {
            discard(head);
        } else {
            world.note("operator", "skips #" + head + " of " + key);
            excuse(head);
            expect(decide(store -> store.deadLetters().skip(key, TESTER)), "skip " + key);
        }
        world.tally.count("operator decisions");
    }

    /** Redriving the head of a parked key releases the key. */
    private void redrive(DeadLetter letter) {
        long sequence = letter.entry().sequence();
        correct(sequence);
        try {
            if (decide(store -> store.deadLetters().redrive(sequence, TESTER))) {
                world.note("operator", "redrives #" + sequence);
                world.tally.count("operator decisions");
            }
        } catch (ReplayLimitException e) {
            discard(sequence);
        }
    }

    private void discard(long sequence) {
        world.note("operator", "discards #" + sequence);
        excuse(sequence);
        expect(decide(store -> store.deadLetters().discard(sequence, TESTER)), "discard #" + sequence);
    }

    private void correct(long sequence) {
        if (corrects > 0
                && world.dice.chance(corrects)
                && decide(store ->
                        store.deadLetters().edit(sequence, Correction.none().withPayload(Handling.MENDED), TESTER))) {
            world.note("operator", "corrects #" + sequence);
            world.tally.count("corrections");
        }
    }

    private void excuse(long sequence) {
        letters().find(sequence).ifPresent(letter -> fleet.excuse(letter.entry()));
    }

    /** Does something that has to be audited; sometimes twice, of which the second time must be refused. */
    private boolean decide(Function<MemoryOutboxStore, Boolean> decision) {
        boolean done = fleet.server.change(decision);
        decisions += done ? 1 : 0;
        if (done && world.dice.chance(0.1) && fleet.server.change(decision)) {
            decisions++;
            world.problem("The operator decided the same thing twice, and both times it took effect.");
        }
        return done;
    }

    /** Each decision that took effect is in the audit trail, and no other. */
    void judge() {
        int audited =
                fleet.server.store().auditTrail().records(Long.MAX_VALUE, ALL).size();
        if (audited != decisions && world.scenario.faults().failovers() == 0) {
            world.problem(decisions + " decisions took effect, but " + audited + " are in the audit trail.");
        }
    }

    private void expect(boolean done, String what) {
        if (!done) {
            world.problem("The operator could not " + what + ", which was parked.");
        }
    }

    private List<DeadLetter> open() {
        return letters().list(DeadLetterFilter.all(), 0, ALL);
    }

    private DeadLetters letters() {
        return fleet.server.store().deadLetters();
    }

    private Operations operations() {
        return fleet.server.store().operations();
    }
}
