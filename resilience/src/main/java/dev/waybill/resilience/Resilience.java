package dev.waybill.resilience;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.relay.RetryPolicy;

/**
 * {@link ResilientOperations} as their owner sees them, with what consumers need. Thread-safe.
 *
 * <p>Consumers get a breaker here and no retries: a failed event waits in its store, so that no thread does.
 */
public interface Resilience extends ResilientOperations, AutoCloseable {

    /** Holds a consumer's handlers back while its breaker is open: the breaker that has the consumer's name. */
    HandlerGuard guard();

    /** The attempts and waits that are set for the consumer's name, for the retries of its store. */
    RetryPolicy retryPolicy(String consumer);

    /**
     * Takes the meters back and ends the waiting for further tries: those calls fail with what their last try failed with.
     * Close it after whatever uses it; later calls are refused.
     */
    @Override
    void close();
}
