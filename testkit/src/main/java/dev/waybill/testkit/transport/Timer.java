package dev.waybill.testkit.transport;

import java.time.Duration;

/**
 * Where a faulty transport gets its delays from: real time, or the virtual time of a simulator. Implementations for real
 * time are thread-safe.
 */
public interface Timer {

    /** Runs the action once, after the delay. */
    void schedule(Duration delay, Runnable action);

    /** Holds the caller up. */
    void block(Duration time);
}
