package dev.waybill.resilience;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of other systems that are tried again when they fail, and not made at all while they would only fail. Thread-safe.
 *
 * <p>A name stands for what is called ("payment-processing"), not for one call: it has a circuit breaker and settings of
 * its own. The breaker counts what comes out after the retries. A call that the breaker rejects fails with
 * {@link CircuitOpenException}; every other failure reaches the caller as the operation threw it.
 */
public interface ResilientOperations {

    /** Runs the operation on this thread, which also waits between two tries; an interrupt ends the waiting. */
    <T extends @Nullable Object> T execute(String name, Supplier<T> operation);

    /** Like {@link #execute}, for an operation without a result. */
    void executeRunnable(String name, Runnable operation);

    /**
     * Runs the operation until one of its futures succeeds or no try is left; no thread waits meanwhile. An operation that
     * throws is the same as one whose future fails. The first try is made on this thread, the others where
     * {@link CompletableFuture} runs what is asynchronous.
     *
     * <p>Whoever completes the returned future from outside ends the call: there is no further try, and the future of the
     * one under way is cancelled. A cancellation is not counted by the breaker, a time-out ({@code orTimeout}) is a failure.
     *
     * @return the outcome; it fails with the operation's own exception, not with a wrapper of it
     */
    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation);

    /**
     * Breakers and retries after this configuration, or none at all if it is not enabled.
     *
     * @param registry gets the meters; only one instance at a time may use the same one
     */
    static Resilience create(ResilienceConfig config, MeterRegistry registry) {
        return config.enabled() ? ProtectedOperations.create(config, registry) : new DirectOperations(config);
    }

    /** Calls the operations, and nothing else. */
    static Resilience none() {
        return new DirectOperations(ResilienceConfig.defaults().withEnabled(false));
    }
}
