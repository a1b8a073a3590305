package dev.waybill.testkit.sim;

import dev.waybill.inbox.Receipt;
import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.RejectedEventException;
import java.time.Duration;
import java.util.List;

/**
 * How one instance reads one partition: one event after the other, the next when the one before is taken. What it has
 * taken it acknowledges now and then, so that its successor is given some of it again. One that has lost its partition may
 * go on for some events before it knows. Not thread-safe.
 */
final class Session {
    private static final int LONGEST_LAG = 4;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final World world;
    private final Group group;
    private final Instance instance;
    private final SourceLog.Partition partition;
    private int position;
    private int unacknowledged;
    private int left = Integer.MAX_VALUE;
    private boolean working;
    private boolean handling;

    Session(World world, Group group, Instance instance, SourceLog.Partition partition, int position) {
        this.world = world;
        this.group = group;
        this.instance = instance;
        this.partition = partition;
        this.position = position;
        world.note(instance.name(), "reads " + partition + " from " + position);
    }

    boolean isAlive() {
        return instance.isAlive();
    }

    /** Whether it is within a call of its consumer. */
    boolean isHandling() {
        return handling && isAlive();
    }

    void revoke() {
        left = world.dice.between(0, 3);
    }

    void wakeUp() {
        if (!working) {
            working = true;
            world.time.schedule(world.dice.micros(50, 5000), this::step);
        }
    }

    private void step() {
        if (!isAlive() || left <= 0) {
            return;
        }
        List<Delivery> records = group.log.records(partition);
        if (position == records.size()) {
            acknowledge();
            working = false;
            return;
        }
        handling = true;
        try {
            Duration wait = give(records.get(position));
            if (isAlive()) {
                world.time.schedule(wait.plus(world.dice.micros(20, 1000)), this::step);
            }
        } catch (SimulatedCrash crash) {
            world.note(instance.name(), "is gone");
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            world.problem(instance.name() + " threw " + e + " at " + e.getStackTrace()[0]);
        } finally {
            handling = false;
        }
    }

    /** Returns how long to wait before the next one. */
    private Duration give(Delivery delivery) {
        Receipt receipt;
        try {
            receipt = offer(delivery);
        } catch (StoreException e) {
            world.note(instance.name(), "cannot take " + World.describe(delivery) + ": " + e.getMessage());
            return world.dice.millis(1, 200);
        }
        world.note(instance.name(), "takes " + World.describe(delivery) + ": " + receipt.kind());
        if (!receipt.isTaken()) {
            return receipt.retryAfter().compareTo(LONGEST_WAIT) < 0 ? receipt.retryAfter() : LONGEST_WAIT;
        }
        count(receipt.kind());
        position++;
        left--;
        unacknowledged++;
        if (unacknowledged > LONGEST_LAG || world.dice.chance(0.4)) {
            acknowledge();
        }
        return Duration.ZERO;
    }

    private Receipt offer(Delivery delivery) {
        if (group.handling.isGarbled(delivery)) {
            return instance.consumer.reject(delivery, new RejectedEventException("It is garbled."));
        }
        Receipt receipt = instance.consumer.accept(delivery);
        return receipt.kind() == Receipt.Kind.DEFERRED && group.consuming.impatient()
                ? instance.consumer.putAside(delivery)
                : receipt;
    }

    private void count(Receipt.Kind kind) {
        switch (kind) {
            case DUPLICATE -> world.tally.count("duplicates skipped");
            case ASIDE -> world.tally.count("set aside");
            case DEAD -> world.tally.count("consumer dead letters");
            default -> {}
        }
    }

    private void acknowledge() {
        unacknowledged = 0;
        group.acknowledge(this, partition, position);
    }
}
