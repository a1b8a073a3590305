package dev.waybill.resilience;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.relay.RetryPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Protection that is switched off. Uses nothing of Resilience4j, which need not even be there. Thread-safe. */
record DirectOperations(ResilienceConfig config) implements Resilience {

    @Override
    public <T extends @Nullable Object> T execute(String name, Supplier<T> operation) {
        return operation.get();
    }

    @Override
    public void executeRunnable(String name, Runnable operation) {
        operation.run();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation) {
        try {
            return operation.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public HandlerGuard guard() {
        return HandlerGuard.none();
    }

    /** As configured: the switch is for what happens here, not for the retries of a store. */
    @Override
    public RetryPolicy retryPolicy(String consumer) {
        return config.retryOf(consumer).toPolicy();
    }

    @Override
    public void close() {}
}
