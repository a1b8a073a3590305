package dev.waybill.relay;

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

    /** When it is tried again. */
    long probeAt = NEVER;

    int failures;

    @Nullable
    Parcel probe;

    Destination(String name, @Nullable Route route) {
        this.name = name;
        this.route = route;
        if (route == null) {
            pausedBecause = "no route";
        }
    }

    boolean isPaused() {
        return pausedBecause != null;
    }
}
