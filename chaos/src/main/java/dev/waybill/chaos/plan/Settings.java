package dev.waybill.chaos.plan;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One run. Immutable.
 *
 * @param seed     what the schedule, and whatever writers do, is drawn from
 * @param duration how long there are load and faults; healing and checking come on top
 * @param lease    of the relays, and the session time-out of the consumers
 * @param rate     events that writers commit in a second, about
 * @param window   entries that a relay may have sent and not yet settled
 */
public record Settings(
        long seed,
        Duration duration,
        Duration lease,
        int relays,
        int writers,
        int consumers,
        int rate,
        int window,
        DeliveryMode mode,
        Set<FaultKind> faults) {
    /** Where events go; each has a topic of its name. */
    public static final List<String> DESTINATIONS = List.of("orders", "payments");

    /** What recovery may take on top of the lease. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    public Settings {
        faults = Set.copyOf(faults);
    }

    public Duration longestRecovery() {
        return lease.plus(GRACE);
    }
}
