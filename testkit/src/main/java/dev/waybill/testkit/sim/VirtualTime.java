package dev.waybill.testkit.sim;

import dev.waybill.testkit.transport.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The time of a simulated world, which jumps from one task to the next. Not thread-safe.
 *
 * <p>A task may {@linkplain #block block}: then the other tasks run inside its call until its time is up, which is how
 * one relay sleeps within a call of the store while the world goes on, on a single thread.
 */
final class VirtualTime implements Timer, InstantSource {
    private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");

    private record Task(long at, long number, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long now;
    private long numbers;
    // Whoever sleeps further down the call stack must be able to wake up in time.
    private long innermostEnd = Long.MAX_VALUE;

    long now() {
        return now;
    }

    @Override
    public Instant instant() {
        return ORIGIN.plusNanos(now);
    }

    @Override
    public void schedule(Duration delay, Runnable action) {
        at(now + delay.toNanos(), action);
    }

    void at(long time, Runnable action) {
        tasks.add(new Task(Math.max(time, now), ++numbers, action));
    }

    /** Lets the world go on for some time, or for less if somebody who waits for this call wakes up earlier. */
    @Override
    public void block(Duration time) {
        long outerEnd = innermostEnd;
        innermostEnd = Math.min(outerEnd, now + time.toNanos());
        try {
            runUntil(innermostEnd);
        } finally {
            innermostEnd = outerEnd;
        }
    }

    void runUntil(long end) {
        for (Task next = tasks.peek(); next != null && next.at <= end; next = tasks.peek()) {
            tasks.remove();
            now = Math.max(now, next.at);
            next.action.run();
        }
        now = Math.max(now, end);
    }
}
