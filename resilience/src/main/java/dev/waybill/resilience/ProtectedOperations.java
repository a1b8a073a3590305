package dev.waybill.resilience;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.relay.RetryPolicy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.retry.Retry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operations behind breakers of Resilience4j, with its retries inside them. Thread-safe. */
final class ProtectedOperations implements Resilience {
    private final ResilienceConfig config;
    private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
    private final Named<Breaker> breakers;
    private final Retries retries;
    private final RetryTimer timer = new RetryTimer();

    ProtectedOperations(ResilienceConfig config, MeterRegistry meters, InstantSource clock) {
        this.config = config;
        this.breakers = new Named<>(name -> new Breaker(name, config.breakerOf(name), registry, clock));
        this.retries = new Retries(config, meters);
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(registry).bindTo(meters);
    }

    static ProtectedOperations create(ResilienceConfig config, MeterRegistry meters) {
        // Not the system's clock: set back by an hour, it would keep breakers open for an hour.
        Instant origin = Instant.now();
        long start = System.nanoTime();
        return new ProtectedOperations(config, meters, () -> origin.plusNanos(System.nanoTime() - start));
    }

    @Override
    public <T extends @Nullable Object> T execute(String name, Supplier<T> operation) {
        Breaker breaker = breakers.get(name);
        Retry retry = retries.get(name);
        long start = breaker.enter();
        T result;
        try {
            result = tryRepeatedly(operation, retry.asyncContext());
        } catch (Throwable e) {
            breaker.failed(start, e);
            throw e;
        }
        breaker.succeeded(start);
        return result;
    }

    @Override
    public void executeRunnable(String name, Runnable operation) {
        this.<@Nullable Void>execute(name, () -> {
            operation.run();
            return null;
        });
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation) {
        Breaker breaker = breakers.get(name);
        Retry retry = retries.get(name);
        long start;
        try {
            start = breaker.enter();
        } catch (CircuitOpenException e) {
            return CompletableFuture.failedFuture(e);
        }
        return new AsyncCall<>(operation, retry, timer, breaker, start).run();
    }

    @Override
    public HandlerGuard guard() {
        return this::guard;
    }

    @Override
    public RetryPolicy retryPolicy(String consumer) {
        return config.retryOf(consumer).toPolicy();
    }

    @Override
    public void close() {
        breakers.close();
        retries.close();
        timer.close();
        registry.getAllCircuitBreakers().forEach(breaker -> registry.remove(breaker.getName()));
    }

    /** Calls that wait for their next try at the moment, for tests. */
    int waiting() {
        return timer.waiting();
    }

    private void guard(String consumer, HandlerGuard.Attempt attempt) throws Exception {
        Breaker breaker = breakers.get(consumer);
        long start = breaker.enter();
        try {
            attempt.run();
        } catch (Throwable e) {
            breaker.failed(start, e);
            breaker.requireClosed(e);
            throw e;
        }
        breaker.succeeded(start);
    }

    /** By the same rules as {@link AsyncCall}: the context decides, and only the waiting is different. */
    private static <T extends @Nullable Object> T tryRepeatedly(Supplier<T> operation, Retry.AsyncContext<T> retry) {
        while (true) {
            T result;
            try {
                result = operation.get();
            } catch (Throwable e) {
                long wait = retry.onError(e);
                if (wait < 0 || !sleep(wait)) {
                    throw e;
                }
                continue;
            }
            retry.onComplete();
            return result;
        }
    }

    /** False if the thread is to stop. */
    private static boolean sleep(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
