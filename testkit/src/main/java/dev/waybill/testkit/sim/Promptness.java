package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import dev.waybill.relay.RelayConfig;
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
    /** The longest that a statement and the read after it take when nothing is wrong. */
    private static final Duration MOVE = Duration.ofMillis(10);

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
        RelayConfig config = world.scenario.config();
        return config.deliveryTimeout()
                .plus(config.pollInterval().multipliedBy(3))
                .plus(movesOfABurst(config))
                .plusSeconds(2);
    }

    /** What waits behind a dead letter is put aside and back by the batch, between reads: in the smallest batches that takes long. */
    private Duration movesOfABurst(RelayConfig config) {
        long batches = world.scenario.burst() > 0 ? world.scenario.burstSize() / config.batchSize() : 0;
        return MOVE.multipliedBy(2 * batches);
    }
}
