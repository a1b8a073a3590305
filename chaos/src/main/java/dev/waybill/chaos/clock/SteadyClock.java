package dev.waybill.chaos.clock;

import java.util.concurrent.TimeUnit;

/**
 * Milliseconds that pass evenly, the same in all processes of a machine.
 *
 * <p>The time of day does not: it may be set, or run faster or slower until it is right again. Then a recovery would seem to take
 * as much longer, or shorter.
 */
public final class SteadyClock {
    private SteadyClock() {}

    public static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
