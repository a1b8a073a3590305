package dev.waybill.replay;

import dev.waybill.event.Event;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which deliveries are replayed: those in a span of time, less those that a condition leaves out. Immutable.
 *
 * @param from        delivered at this time or later
 * @param to          delivered before this time
 * @param destination only for this one; {@code null}: all
 * @param key         only of this one; {@code null}: all
 * @param type        only of this event type; {@code null}: all
 */
public record ReplayFilter(
        Instant from,
        Instant to,
        @Nullable String destination,
        @Nullable String key,
        @Nullable String type) {

    // What databases can compare with; no event is older, and nothing is delivered later.
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    public ReplayFilter {
        from = storable(from);
        to = storable(to);
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException(
                    "A replay from " + from + " to " + to + " is empty: from must be before to.");
        }
        withoutNul("destination", destination);
        withoutNul("key", key);
        withoutNul("type", type);
    }

    /** Databases keep microseconds; a filter equals what comes back from the store. */
    private static Instant storable(Instant time) {
        Instant within = time.isBefore(EARLIEST) ? EARLIEST : time.isAfter(LATEST) ? LATEST : time;
        return within.truncatedTo(ChronoUnit.MICROS);
    }

    private static void withoutNul(String field, @Nullable String text) {
        if (text != null && text.indexOf(0) >= 0) {
            throw new IllegalArgumentException(
                    "The " + field + " of a replay has a NUL character, which no event has.");
        }
    }

    public static ReplayFilter between(Instant from, Instant to) {
        return new ReplayFilter(from, to, null, null, null);
    }

    public ReplayFilter withEnd(Instant end) {
        return new ReplayFilter(from, end, destination, key, type);
    }

    public ReplayFilter withDestination(@Nullable String only) {
        return new ReplayFilter(from, to, only, key, type);
    }

    public ReplayFilter withKey(@Nullable String only) {
        return new ReplayFilter(from, to, destination, only, type);
    }

    public ReplayFilter withType(@Nullable String only) {
        return new ReplayFilter(from, to, destination, key, only);
    }

    /** Whether the event is meant, having been delivered at this time. */
    public boolean matches(Event event, Instant deliveredAt) {
        return !deliveredAt.isBefore(from)
                && deliveredAt.isBefore(to)
                && (destination == null || destination.equals(event.destination()))
                && (key == null || key.equals(event.key()))
                && (type == null || type.equals(event.type()));
    }
}
