package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Sees to it that nobody waits for somebody else's trouble: in a world without unsound faults an event without a key, to
 * a destination that was never down, arrives soon after its commit, whatever happens to other keys and destinations. Not
 * thread-safe.
 */
final class Promptness {
    private final World world;
    private final Map<UUID, Long> committedAt = new HashMap<>();
    private final Set<String> excepted = new HashSet<>();

    Promptness(World world) {
        this.world = world;
        excepted.add(world.scenario.unroutedDestination());
        excepted.add(world.scenario.crawlingDestination());
        excepted.add(world.scenario.limitedDestination());
    }

    void committed(Event event) {
        if (world.scenario.isSound() && event.key() == null && event.availableAt() == null) {
            committedAt.put(event.id(), world.time.now());
        }
    }

    /** It has its own trouble. */
    void refused(UUID id) {
        committedAt.remove(id);
    }

    void down(String destination) {
        excepted.add(destination);
    }

    void arrived(Event event) {
        Long committed = committedAt.remove(event.id());
        if (committed == null || excepted.contains(event.destination())) {
            return;
        }
        Duration took = Duration.ofNanos(world.time.now() - committed);
        if (took.compareTo(bound()) > 0) {
            world.problem("Event " + event.id() + " had to wait for others: it arrived " + took + " after its commit.");
        }
    }

    /** A hand-over waits for the slowest answer, and then for somebody to look. */
    private Duration bound() {
        return world.scenario
                .config()
                .deliveryTimeout()
                .plus(world.scenario.config().pollInterval().multipliedBy(3))
                .plusSeconds(2);
    }
}
