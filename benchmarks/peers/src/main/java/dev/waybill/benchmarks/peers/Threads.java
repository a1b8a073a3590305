package dev.waybill.benchmarks.peers;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do not keep a worker's JVM alive. */
final class Threads {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Threads() {}

    static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Waits for tasks that were told to end; an interrupted one no longer waits. */
    static void await(ExecutorService ending) {
        try {
            if (!ending.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("Threads of a peer did not end: look at a thread dump");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
