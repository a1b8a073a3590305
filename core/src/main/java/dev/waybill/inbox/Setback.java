package dev.waybill.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why an event is put aside, and what is to become of it.
 *
 * @param attempts   tries that have failed
 * @param error      why the last one did; {@code null}: none was made
 * @param retryAfter when to try again; {@code null}: not at all, it is a dead letter now
 */
public record Setback(
        int attempts, @Nullable String error, @Nullable Duration retryAfter) {

    /** Nothing is wrong with it, but it must wait for its turn. */
    public static Setback waiting() {
        return new Setback(0, null, Duration.ZERO);
    }

    public static Setback retry(int attempts, String error, Duration after) {
        return new Setback(attempts, error, after);
    }

    public static Setback dead(int attempts, String error) {
        return new Setback(attempts, error, null);
    }

    public boolean isDead() {
        return retryAfter == null;
    }
}
