package dev.waybill.spring.boot;

import dev.waybill.relay.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Retry policies of settings that say something or nothing. */
final class Retries {

    private Retries() {}

    /** The usual policy, property by property replaced by what is set. */
    static RetryPolicy merged(
            RetryPolicy usual,
            @Nullable Integer maxAttempts,
            @Nullable Duration firstWait,
            @Nullable Duration longestWait) {
        return new RetryPolicy(
                maxAttempts == null ? usual.maxAttempts() : maxAttempts,
                firstWait == null ? usual.base() : firstWait,
                longestWait == null ? usual.cap() : longestWait);
    }
}
