package dev.waybill.testkit.sim;

import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

/**
 * Sees to it that, in a world without unsound faults, a shard that was given back finds an owner soon, whatever else those
 * who leave still have to do. Not thread-safe.
 */
final class Vacancies {
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final long NEVER = Long.MAX_VALUE;

    private final World world;
    private final Fleet fleet;
    private final long[] freeSince = new long[Shards.COUNT];
    private boolean told;

    Vacancies(World world, Fleet fleet) {
        this.world = world;
        this.fleet = fleet;
        Arrays.fill(freeSince, NEVER);
    }

    void start() {
        if (world.scenario.isSound()) {
            world.time.schedule(INTERVAL, this::look);
        }
    }

    private void look() {
        if (!fleet.somebodyStays()) {
            Arrays.fill(freeSince, NEVER);
        }
        Map<Integer, UUID> owners = fleet.server.store().operations().shardOwners();
        for (int shard = 0; shard < freeSince.length; shard++) {
            freeSince[shard] = owners.containsKey(shard) ? NEVER : Math.min(freeSince[shard], world.time.now());
            if (!told && world.time.now() - freeSince[shard] > bound().toNanos()) {
                told = true;
                world.problem("Nobody takes shard " + shard + ", which is free for more than " + bound() + ".");
            }
        }
        if (!fleet.relays.isEmpty()) {
            start();
        }
    }

    /** Each relay looks at every poll. */
    private Duration bound() {
        return world.scenario.config().pollInterval().multipliedBy(3).plusSeconds(1);
    }
}
