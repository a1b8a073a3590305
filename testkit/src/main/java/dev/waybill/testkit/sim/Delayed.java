package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The delayed events that somebody may want to cancel. Not thread-safe. */
final class Delayed {

    /** A delayed event. */
    record Cancel(UUID id, Instant dueAt) {}

    private final World world;
    private final List<Cancel> known = new ArrayList<>();

    Delayed(World world) {
        this.world = world;
    }

    void add(Event event) {
        Instant dueAt = event.availableAt();
        if (dueAt != null) {
            known.add(new Cancel(event.id(), dueAt));
        }
    }

    @Nullable
    Cancel pick(Dice dice) {
        return known.isEmpty() ? null : dice.pick(known);
    }

    /** The cancelling transaction has committed. */
    void cancelled(Cancel cancel) {
        known.remove(cancel);
        // A standby may not have heard of it.
        boolean lasting = world.scenario.faults().failovers() == 0;
        if (lasting && world.time.instant().isBefore(cancel.dueAt)) {
            world.checker.cancelled(cancel.id);
        } else {
            world.checker.uncertain(cancel.id);
        }
    }
}
