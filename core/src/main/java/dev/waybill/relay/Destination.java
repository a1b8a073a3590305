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

    /** Deliveries that are sent, or about to be, and not yet answered. */
    int onTheWay;

    /** Lines that are ready but would exceed the destination's rate or number of deliveries, the longest waiting first. */
    final Deque<Line> throttled = new ArrayDeque<>();

    private final Throttle throttle = new Throttle();

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
        } else if (route.paused()) {
            pausedBecause = RelayStatus.PAUSED_BY_ROUTE;
        }
    }

    /** Whether the configuration lets it get anything. */
    boolean isRouted() {
        return route != null && !route.paused();
    }

    int priority() {
        return route == null ? 0 : route.priority();
    }

    /** How many deliveries a second this relay may make; 0: no limit. */
    private double rate(int ownedShards) {
        return route == null ? 0 : (double) route.maxPerSecond() * ownedShards / Shards.COUNT;
    }

    boolean isLimited() {
        return route != null && (route.maxPerSecond() > 0 || route.maxInFlight() > 0);
    }

    /** Whether an answer has to come before another delivery. */
    boolean isFull() {
        return route != null && route.maxInFlight() > 0 && onTheWay >= route.maxInFlight();
    }

    /** Whether its rate allows another delivery now; counts it if so. */
    boolean tryTake(long now, int ownedShards) {
        return !isRated() || throttle.tryTake(now, rate(ownedShards));
    }

    /** When its rate allows another delivery. */
    long nextAt(long now, int ownedShards) {
        return isRated() ? throttle.nextAt(now, rate(ownedShards)) : now;
    }

    private boolean isRated() {
        return route != null && route.maxPerSecond() > 0;
    }

    boolean isPaused() {
        return stopped || pausedBecause != null;
    }
}
