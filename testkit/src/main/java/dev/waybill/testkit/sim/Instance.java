package dev.waybill.testkit.sim;

import dev.waybill.inbox.InboxCheckException;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.store.memory.MemoryTransaction;

/** A process of a consumer, which reads partitions of the log. Not thread-safe. */
final class Instance implements Mortal {
    final InboxConsumer<MemoryTransaction> consumer;

    private final World world;
    private final Group group;
    private final String name;
    private boolean dead;

    Instance(World world, Group group, String name) {
        this.world = world;
        this.group = group;
        this.name = name;
        consumer = group.consumerIn(this);
    }

    /** What a consumer does before it takes the first event. */
    void check() {
        try {
            consumer.check();
        } catch (InboxCheckException e) {
            world.problem(name + " does not start: " + e.getMessage());
        }
    }

    @Override
    public String name() {
        return name;
    }

    boolean isAlive() {
        return !dead;
    }

    @Override
    public void requireAlive() {
        if (dead) {
            throw new SimulatedCrash();
        }
    }

    @Override
    public void crash(String when) {
        if (dead) {
            return;
        }
        world.note(name, "crashes " + when);
        world.tally.count("consumer crashes");
        dead = true;
        group.died(this);
    }

    @Override
    public boolean strikes(double probability) {
        return !world.isHealed() && probability > 0 && world.dice.chance(probability);
    }
}
