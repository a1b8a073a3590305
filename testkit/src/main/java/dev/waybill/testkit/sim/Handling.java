package dev.waybill.testkit.sim;

import dev.waybill.event.Payload;
import dev.waybill.inbox.DeferredException;
import dev.waybill.store.Entry;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.NonRetryableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a consumer's handlers do, and which events they cannot handle. Not thread-safe. */
final class Handling {
    /** Takes effect in the consumer's database. */
    static final String HERE = "sim.happened";
    /** Takes effect elsewhere. */
    static final String ELSEWHERE = "sim.mailed";
    /** An event with it can be handled, whatever was wrong with it. */
    static final Payload MENDED = Payload.utf8("mended");

    private static final int ALWAYS = Integer.MAX_VALUE;

    private final World world;
    private final Consuming consuming;
    private final String name;
    private final Ledger ledger;
    private final Runnable rebalance;
    private final Map<UUID, Integer> failures = new HashMap<>();
    private final Set<UUID> garbled = new HashSet<>();
    private final Set<UUID> incurable = new HashSet<>();

    Handling(World world, Consuming consuming, String name, Ledger ledger, Runnable rebalance) {
        this.world = world;
        this.consuming = consuming;
        this.name = name;
        this.ledger = ledger;
        this.rebalance = rebalance;
    }

    /** Decides what is wrong with an event, when it comes for the first time. */
    void decide(Delivery delivery) {
        UUID id = Ledger.idOf(delivery);
        Consuming.Events events = consuming.events();
        if (strikes(events.incurable())) {
            incurable.add(id);
        } else if (strikes(events.garbled())) {
            garbled.add(id);
            failures.put(id, ALWAYS);
        } else if (strikes(events.poison())) {
            failures.put(id, ALWAYS);
        } else if (strikes(events.failing())) {
            failures.put(id, world.dice.between(1, 6));
        }
    }

    private boolean strikes(double probability) {
        return !world.isHealed() && probability > 0 && world.dice.chance(probability);
    }

    /** From now on everything can be handled but the incurable. */
    void heal() {
        failures.clear();
        garbled.clear();
    }

    /** Whether the source cannot read it. */
    boolean isGarbled(Delivery delivery) {
        return garbled.contains(Ledger.idOf(delivery));
    }

    boolean isHopeless(Entry entry) {
        return incurable.contains(Ledger.idOf(entry.event().id(), entry.replay()))
                && !entry.event().payload().equals(MENDED);
    }

    void here(Mortal process, MemoryTransaction transaction, Delivery delivery) throws Exception {
        stay(process);
        boolean failsLate = strikes(0.5);
        if (!failsLate) {
            failMaybe(delivery);
        }
        takeEffect(transaction, delivery);
        crashMaybe(process, "before the commit of an effect");
        if (failsLate) {
            stay(process);
            failMaybe(delivery);
        }
    }

    private void takeEffect(MemoryTransaction transaction, Delivery delivery) throws Refused {
        try {
            transaction.onCommit(() -> {
                world.note(name, "has the effect of " + World.describe(delivery));
                ledger.tookEffect(delivery);
            });
        } catch (NoTransactionException e) {
            // The database is gone. What is stored of it must not have a stack trace, which depends on the caller.
            throw new Refused();
        }
    }

    /** Fails before its effect only: so each effect that is repeated needs a crash, a lost lease or a failing database. */
    void elsewhere(Mortal process, Delivery delivery, long epoch) throws Exception {
        crashMaybe(process, "between lease and effect");
        // Whoever takes over is done before the first one wakes up, on a single thread; dead, it leaves its lease to
        // find.
        if (epoch > 1 && consuming.faults().crashes() > 0 && strikes(0.3)) {
            process.crash("after it took a lease over");
            process.requireAlive();
        }
        if (stay(process) && strikes(0.4)) {
            throw new Refused();
        }
        failMaybe(delivery);
        world.note(name, "has the effect of " + World.describe(delivery) + " elsewhere");
        ledger.tookEffectElsewhere(delivery);
        crashMaybe(process, "between effect and completion");
        if (strikes(0.3)) {
            stay(process);
        }
    }

    /** Sometimes for so long that others take over. Returns whether it was long. */
    private boolean stay(Mortal process) {
        boolean strikes = process.strikes(consuming.faults().stays());
        Duration time = strikes ? world.dice.upTo(consuming.longestStay()) : world.dice.micros(0, 300);
        if (strikes) {
            world.note(process.name(), "stays in a handler for " + time);
            world.tally.count("long handlers");
            world.expectUntil(time);
            if (strikes(consuming.faults().rebalances())) {
                world.time.schedule(world.dice.upTo(time), rebalance);
            }
        }
        world.time.block(time);
        process.requireAlive();
        return strikes;
    }

    private void crashMaybe(Mortal process, String when) {
        if (process.strikes(consuming.faults().crashes())) {
            process.crash(when);
        }
        process.requireAlive();
    }

    private void failMaybe(Delivery delivery) throws Exception {
        UUID id = Ledger.idOf(delivery);
        if (delivery.event().payload().equals(MENDED)) {
            return;
        }
        int left = incurable.contains(id) ? ALWAYS : failures.getOrDefault(id, 0);
        if (left == 0) {
            return;
        }
        world.tally.count("handler failures");
        if (left == ALWAYS) {
            throw new Unhandled();
        }
        failures.put(id, left - 1);
        if (world.dice.chance(0.1)) {
            throw new DeferredException("Something that it needs is not there.", world.dice.millis(1, 500));
        }
        throw new Refused();
    }

    private static class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("As planned.", null, false, false);
        }
    }

    private static final class Unhandled extends Refused implements NonRetryableException {
        private static final long serialVersionUID = 1L;
    }
}
