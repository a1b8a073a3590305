package dev.waybill.spring.inbox;

import dev.waybill.spring.Phases;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * What handlers run on, a number of them at a time, while the application runs. Thread-safe.
 *
 * <p>Virtual threads are limited all the same: each handler holds a connection of the application's pool.
 */
public final class HandlerThreads implements Executor, SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);
    private static final String PREFIX = "waybill-handler-";

    private final int threads;
    private final boolean virtual;
    private final Duration patience;
    private volatile @Nullable ThreadPoolExecutor pool;

    /**
     * Threads that are not yet there.
     *
     * @param virtual  whether they are virtual; needs JDK 21
     * @param patience how long the end waits for handlers under way
     */
    public HandlerThreads(int threads, boolean virtual, Duration patience) {
        if (threads < 1) {
            throw new IllegalArgumentException("waybill.inbox.threads is " + threads + "; it must be at least 1.");
        }
        this.threads = threads;
        this.virtual = virtual;
        this.patience = patience;
    }

    @Override
    public void execute(Runnable task) {
        ThreadPoolExecutor current = pool;
        if (current == null) {
            throw new RejectedExecutionException("handlers do not run now");
        }
        current.execute(task);
    }

    @Override
    public synchronized void start() {
        if (pool == null) {
            pool = new ThreadPoolExecutor(
                    threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threadFactory());
        }
    }

    private ThreadFactory threadFactory() {
        if (virtual) {
            return new VirtualThreadTaskExecutor(PREFIX).getVirtualThreadFactory();
        }
        CustomizableThreadFactory factory = new CustomizableThreadFactory(PREFIX);
        factory.setDaemon(true);
        return factory;
    }

    /**
     * Everything that gives work has stopped by now: what is left was given up, and is delivered again. Nobody is
     * interrupted, which would close the files of an embedded database under everybody else.
     */
    @Override
    public synchronized void stop() {
        ThreadPoolExecutor current = pool;
        pool = null;
        if (current == null) {
            return;
        }
        current.getQueue().clear();
        current.shutdown();
        try {
            if (!current.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("Handlers still run after {}; their transactions end with the process", patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return pool != null;
    }

    @Override
    public int getPhase() {
        return Phases.HANDLER_THREADS;
    }
}
