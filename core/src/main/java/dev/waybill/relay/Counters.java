package dev.waybill.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/** Figures for the relay's status and its meters. Owned by the relay's thread, except the meters, which are thread-safe. */
final class Counters {
    final Timer fetches;
    final Timer settles;
    final Counter storeFailures;

    long delivered;
    long retried;
    long deadLetters;
    long leaseLosses;

    @Nullable
    String lastError;

    Counters(MeterRegistry registry) {
        fetches = Timer.builder("outbox.fetch.duration")
                .description("One round of reading from the store")
                .register(registry);
        settles = Timer.builder("outbox.settle.duration")
                .description("Writing back one batch of outcomes")
                .register(registry);
        storeFailures = Counter.builder("outbox.store.failures")
                .description("Steps of a relay that failed because of the store")
                .register(registry);
    }
}
