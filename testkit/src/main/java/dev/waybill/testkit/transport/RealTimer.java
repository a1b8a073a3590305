package dev.waybill.testkit.transport;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time, on one daemon thread. Thread-safe. */
final class RealTimer implements Timer, AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, action -> {
        Thread thread = new Thread(action, "faulty-transport");
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public void schedule(Duration delay, Runnable action) {
        try {
            var unused = executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed in the meantime: a closed transport answers no more.
            return;
        }
    }

    /** Ends early when the transport is closed, so that nobody hangs for longer than the test. */
    @Override
    public void block(Duration time) {
        try {
            closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        executor.shutdownNow();
    }
}
