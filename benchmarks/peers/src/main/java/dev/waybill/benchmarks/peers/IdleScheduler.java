package dev.waybill.benchmarks.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

/** A scheduler that never runs what it is given. */
final class IdleScheduler implements TaskScheduler, DisposableBean {
    private final ScheduledThreadPoolExecutor never = new ScheduledThreadPoolExecutor(0, Threads.daemons("idle"));

    private ScheduledFuture<?> ignore(Runnable task) {
        return never.schedule(task, Integer.MAX_VALUE, TimeUnit.DAYS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        return ignore(task);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        return ignore(task);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        return ignore(task);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return ignore(task);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
        return ignore(task);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        return ignore(task);
    }

    @Override
    public void destroy() {
        never.shutdownNow();
    }
}
