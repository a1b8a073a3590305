package dev.waybill.benchmarks.contender;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Nanoseconds since 1970: other processes of the machine can subtract them, and within a process they never go back. */
public final class WallClock {
    private static final long OFFSET = offset();

    private WallClock() {}

    public static long nanos() {
        return System.nanoTime() + OFFSET;
    }

    private static long offset() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    }
}
