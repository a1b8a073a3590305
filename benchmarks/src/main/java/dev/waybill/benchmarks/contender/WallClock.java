package dev.waybill.benchmarks.contender;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Nanoseconds since 1970: other processes of the machine can subtract them, and within a process they never go back. */
public final class WallClock {
    private static final int TRIES = 100;
    private static final long OFFSET = offset();

    private WallClock() {}

    public static long nanos() {
        return System.nanoTime() + OFFSET;
    }

    /** From the two readings that were least apart: the first ones load classes in between, for milliseconds. */
    private static long offset() {
        long shortest = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < TRIES; i++) {
            long before = System.nanoTime();
            Instant now = Instant.now();
            long took = System.nanoTime() - before;
            if (took < shortest) {
                shortest = took;
                offset = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - before - took / 2;
            }
        }
        return offset;
    }
}
