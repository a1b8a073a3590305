package dev.waybill.relay;

import dev.waybill.store.Shards;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a relay knows about a destination. Owned by the relay's thread. */
final class Destination {
    static final long NEVER = Long.MAX_VALUE;

    final String name;
    final @Nullable Route route;

    /** Units of the window that its parcels take. */
    int units;

    /** Why it gets nothing at the moment; {@code null} while it is open. */
    @Nullable
    String pausedBecause;

    /** Held back by a person: it is not probed, and gets nothing until the person lets it go on. */
    boolean stopped;

    /** Lines that are ready but would exceed the destination's rate, the longest waiting first. */
    final Deque<Line> throttled = new ArrayDeque<>();

    final Throttle throttle = new Throttle();

    final DestinationMeters meters;

    /** When it is tried again. */
    long probeAt = NEVER;

    int failures;

    @Nullable
    Parcel probe;

    Destination(String name, @Nullable Route route, DestinationMeters meters) {
        this.name = name;
        this.route = route;
        this.meters = meters;
        if (route == null) {
            pausedBecause = "no route";
        }
    }

    /** How many deliveries a second this relay may make; 0: no limit. */
    double rate(int ownedShards) {
        return route == null ? 0 : (double) route.maxPerSecond() * ownedShards / Shards.COUNT;
    }

    boolean isLimited() {
        return route != null && route.maxPerSecond() > 0;
    }

    boolean isPaused() {
        return stopped || pausedBecause != null;
    }
}
