package dev.waybill.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that moves only when it is told to: wall-clock time as an {@link InstantSource}, and nanoseconds like {@link
 * System#nanoTime} as a {@link LongSupplier}, both of the same time. Thread-safe.
 */
public final class ManualClock implements InstantSource, LongSupplier {
    private final Instant start;
    private final AtomicLong elapsedNanos = new AtomicLong();

    /** Starts at the beginning of 2026. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public ManualClock(Instant start) {
        this.start = start;
    }

    /** Moves on; never back. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time does not go back: " + by);
        }
        elapsedNanos.addAndGet(by.toNanos());
    }

    @Override
    public Instant instant() {
        return start.plusNanos(elapsedNanos.get());
    }

    /** Nanoseconds since the start. */
    @Override
    public long getAsLong() {
        return elapsedNanos.get();
    }
}
