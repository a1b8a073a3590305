package dev.waybill.testkit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads for one test; closing it stops them. */
public final class InParallel implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "contract");
        thread.setDaemon(true);
        return thread;
    });

    public <T> Future<T> start(Callable<T> task) {
        return threads.submit(task);
    }

    /** Runs the tasks at the same time, as nearly as threads can, and returns their results in order. */
    public <T> List<T> together(List<Callable<T>> tasks) {
        CyclicBarrier barrier = new CyclicBarrier(tasks.size());
        List<Future<T>> started = new ArrayList<>();
        for (Callable<T> task : tasks) {
            started.add(start(() -> {
                barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return task.call();
            }));
        }
        return started.stream().map(InParallel::result).toList();
    }

    public static <T> T result(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the task is still waiting after more than what it needs if nothing holds it up. */
    public static boolean isHeldUp(Future<?> future) {
        return isHeldUp(future, Duration.ofMillis(300));
    }

    static boolean isHeldUp(Future<?> future, Duration patience) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
