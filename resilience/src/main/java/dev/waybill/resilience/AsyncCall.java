package dev.waybill.resilience;

import io.github.resilience4j.retry.Retry;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous call with all its tries. Tries follow each other, on whatever threads; who ends the call first, its last
 * try or somebody outside, also tells the breaker.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows on them handles its own failures
final class AsyncCall<T extends @Nullable Object> {
    private final Supplier<? extends CompletionStage<T>> operation;
    private final Breaker breaker;
    private final Retry.AsyncContext<T> retry;
    private final RetryTimer timer;
    private final long start;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Runnable stop = () -> {};

    /** The breaker must have been entered. */
    AsyncCall(
            Supplier<? extends CompletionStage<T>> operation,
            Retry retry,
            RetryTimer timer,
            Breaker breaker,
            long start) {
        this.operation = operation;
        this.breaker = breaker;
        this.retry = retry.asyncContext();
        this.timer = timer;
        this.start = start;
    }

    CompletableFuture<T> run() {
        result.whenComplete(this::endedByOthers);
        attempt();
        return result;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        try {
            CompletionStage<T> stage = Objects.requireNonNull(operation.get(), "The operation returned no future.");
            stopWith(() -> cancel(stage));
            stage.whenComplete(this::attempted);
        } catch (Throwable e) {
            attempted(null, e);
        }
    }

    private void attempted(@Nullable T value, @Nullable Throwable failure) {
        if (result.isDone()) {
            return;
        }
        try {
            if (failure == null) {
                retry.onComplete();
                succeed(value);
            } else {
                retryOrFail(failure);
            }
        } catch (Throwable e) {
            // Not the operation's: without this a logger that throws would leave the caller waiting for ever.
            fail(e);
        }
    }

    private void retryOrFail(Throwable failure) {
        long wait = retry.onError(failure);
        if (wait < 0) {
            fail(failure);
            return;
        }
        CompletableFuture<Void> due = timer.in(wait);
        stopWith(() -> due.cancel(false));
        due.whenComplete((nothing, cancelled) -> {
            if (cancelled == null) {
                attemptElsewhere(failure);
            } else if (!result.isDone()) {
                // The timer was closed; had the caller given up, the breaker would hear of it from there.
                fail(failure);
            }
        });
    }

    /** Not on the timer's thread: an operation that blocks would hold up the waits of all others. */
    private void attemptElsewhere(Throwable lastFailure) {
        try {
            result.defaultExecutor().execute(this::attempt);
        } catch (Throwable e) {
            // No thread is to be had; the caller must not wait for ever.
            fail(lastFailure);
        }
    }

    @SuppressWarnings("NullAway") // T allows null where the operation gives it
    private void succeed(@Nullable T value) {
        if (ended.compareAndSet(false, true)) {
            breaker.succeeded(start);
            result.complete(value);
        }
    }

    private void fail(Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            breaker.failed(start, failure);
            result.completeExceptionally(Failures.unwrap(failure));
        }
    }

    private void endedByOthers(@Nullable T value, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        if (failure == null || result.isCancelled()) {
            breaker.abandoned();
        } else {
            breaker.failed(start, failure);
        }
        stop.run();
    }

    /** The look at the result comes after the write, as {@link #endedByOthers} reads after the end: one of the two stops. */
    private void stopWith(Runnable action) {
        stop = action;
        if (result.isDone()) {
            action.run();
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            // A stage may refuse; its outcome is then ignored.
            return;
        }
    }
}
