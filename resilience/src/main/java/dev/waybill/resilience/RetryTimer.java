package dev.waybill.resilience;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Waits for the next tries of asynchronous calls, all on one thread, which is started with the first. Thread-safe. */
@SuppressWarnings({"FutureReturnValueIgnored", "CollectionUndefinedEquality"}) // a future is only itself here
final class RetryTimer {
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "waybill-resilience");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<CompletableFuture<Void>> waiting = ConcurrentHashMap.newKeySet();

    RetryTimer() {
        // Waits of minutes that nobody waits for any more are not to pile up.
        scheduler.setRemoveOnCancelPolicy(true);
    }

    /** Completes when the time has passed; is cancelled when the timer is closed before that. */
    CompletableFuture<Void> in(long millis) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        // Before it is scheduled: a timer that is closed in between has either seen it here, or refuses it below.
        waiting.add(due);
        try {
            ScheduledFuture<?> wait = scheduler.schedule(() -> due.complete(null), millis, TimeUnit.MILLISECONDS);
            due.whenComplete((nothing, cancelled) -> {
                waiting.remove(due);
                wait.cancel(false);
            });
        } catch (RejectedExecutionException closed) {
            waiting.remove(due);
            due.cancel(false);
        }
        return due;
    }

    int waiting() {
        return scheduler.getQueue().size();
    }

    void close() {
        scheduler.shutdownNow();
        waiting.forEach(due -> due.cancel(false));
    }
}
