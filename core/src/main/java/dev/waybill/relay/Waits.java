package dev.waybill.relay;

import java.time.Duration;

/** Waits in nanoseconds. */
final class Waits {
    private static final Duration LONGEST = Duration.ofDays(1);

    private Waits() {}

    /** At most a day, so that nothing overflows: whoever waits for longer looks again, and waits for the rest. */
    static long nanos(Duration wait) {
        return wait.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : wait.toNanos();
    }
}
