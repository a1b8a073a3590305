package dev.waybill.deadletter;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant: those that fit all of the conditions; {@code null} is no condition. Immutable.
 *
 * @param state  {@code null}: those that something can still be done about, so the pending and the skipped ones
 * @param reason a part of the {@linkplain dev.waybill.store.Entry#lastError() reason}, upper and lower case alike
 * @param from   died at this time or later
 * @param to     died before this time
 */
public record DeadLetterFilter(
        @Nullable String destination,
        @Nullable String key,
        @Nullable String type,
        DeadLetter.@Nullable State state,
        @Nullable String reason,
        @Nullable Instant from,
        @Nullable Instant to) {

    // What databases can compare with; nothing dies before or after.
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    public DeadLetterFilter {
        withoutNul("destination", destination);
        withoutNul("key", key);
        withoutNul("type", type);
        withoutNul("reason", reason);
        from = storable(from);
        to = storable(to);
    }

    private static @Nullable Instant storable(@Nullable Instant time) {
        if (time == null || (!time.isBefore(EARLIEST) && !time.isAfter(LATEST))) {
            return time;
        }
        return time.isBefore(EARLIEST) ? EARLIEST : LATEST;
    }

    private static void withoutNul(String field, @Nullable String text) {
        if (text != null && text.indexOf(0) >= 0) {
            throw new IllegalArgumentException(
                    "The " + field + " to look for has a NUL character, which no dead letter has.");
        }
    }

    public static DeadLetterFilter all() {
        return new DeadLetterFilter(null, null, null, null, null, null, null);
    }

    public DeadLetterFilter withDestination(@Nullable String only) {
        return new DeadLetterFilter(only, key, type, state, reason, from, to);
    }

    public DeadLetterFilter withKey(@Nullable String only) {
        return new DeadLetterFilter(destination, only, type, state, reason, from, to);
    }

    public DeadLetterFilter withType(@Nullable String only) {
        return new DeadLetterFilter(destination, key, only, state, reason, from, to);
    }

    public DeadLetterFilter withState(DeadLetter.@Nullable State only) {
        return new DeadLetterFilter(destination, key, type, only, reason, from, to);
    }

    public DeadLetterFilter withReason(@Nullable String part) {
        return new DeadLetterFilter(destination, key, type, state, part, from, to);
    }

    public DeadLetterFilter withDiedBetween(@Nullable Instant start, @Nullable Instant end) {
        return new DeadLetterFilter(destination, key, type, state, reason, start, end);
    }

    public boolean matches(DeadLetter letter) {
        Event event = letter.entry().event();
        return (destination == null || destination.equals(event.destination()))
                && (key == null || key.equals(event.key()))
                && (type == null || type.equals(event.type()))
                && (state == null ? letter.state().isOpen() : letter.state() == state)
                && (reason == null || isPartOf(letter.entry().lastError()))
                && (from == null || !letter.diedAt().isBefore(from))
                && (to == null || letter.diedAt().isBefore(to));
    }

    private boolean isPartOf(@Nullable String lastError) {
        return reason != null
                && lastError != null
                && lastError.toLowerCase(Locale.ROOT).contains(reason.toLowerCase(Locale.ROOT));
    }
}
