package dev.waybill.relay;

import java.util.List;
import java.util.function.Predicate;

/** Which destinations go first when a relay cannot do everything at once. Owned by the relay's thread. */
final class Priorities {
    private final Routes routes;
    private final Depot depot;

    Priorities(Routes routes, Depot depot) {
        this.routes = routes;
        this.depot = depot;
    }

    private boolean isLower(Destination destination) {
        return destination.priority() < routes.highestPriority();
    }

    /**
     * Lets the scans of some shards go on to what has the highest priority: lanes read the rest. Between the reading of lanes
     * and the scan: a lane that is not behind the scan when it is read ends.
     */
    void leaveLowerBehind(Predicate<Shard> where) {
        List<Destination> lower =
                depot.destinations().stream().filter(this::isLower).toList();
        depot.shards().stream()
                .filter(where)
                .forEach(shard ->
                        lower.forEach(destination -> shard.lanes.putIfAbsent(destination.name, shard.position)));
    }

    /** The highest priority with something to read; what a scan will find next may have any. */
    int urgency() {
        if (!routes.havePriorities()) {
            return Integer.MIN_VALUE;
        }
        for (Shard shard : depot.shards()) {
            if (shard.more && !shard.draining) {
                return routes.highestPriority();
            }
        }
        int highest = Integer.MIN_VALUE;
        for (Destination destination : depot.destinations()) {
            if (destination.priority() > highest && !destination.isPaused() && depot.isLagging(destination)) {
                highest = destination.priority();
            }
        }
        return highest;
    }
}
