package dev.waybill.resilience;

import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The retries of all names, with their meters and their lines in the log. Thread-safe. */
final class Retries {
    private static final Logger log = LoggerFactory.getLogger(Retries.class);

    private final RetryRegistry retries = RetryRegistry.ofDefaults();
    private final Queue<Counter> counters = new ConcurrentLinkedQueue<>();
    private final Named<Retry> named = new Named<>(this::create);
    private final ResilienceConfig config;
    private final MeterRegistry meters;

    Retries(ResilienceConfig config, MeterRegistry meters) {
        this.config = config;
        this.meters = meters;
        TaggedRetryMetrics.ofRetryRegistry(retries).bindTo(meters);
    }

    Retry get(String name) {
        return named.get(name);
    }

    void close() {
        named.close();
        retries.getAllRetries().forEach(retry -> retries.remove(retry.getName()));
        counters.forEach(meters::remove);
    }

    private Retry create(String name) {
        RetryConfig settings = config.retryOf(name);
        Retry retry = retries.retry(
                name,
                io.github.resilience4j.retry.RetryConfig.custom()
                        .maxAttempts(settings.maxAttempts())
                        .intervalFunction(Backoff.of(settings))
                        .retryOnException(Failures::isRetryable)
                        .build());
        observe(retry, ignored(name));
        return retry;
    }

    /** Resilience4j counts them with other failures; here they are to be told apart. */
    private Counter ignored(String name) {
        Counter counter = Counter.builder("waybill.resilience.retry.ignored")
                .description("Failures that were not tried again, because another try would not end better")
                .tag("name", name)
                .register(meters);
        counters.add(counter);
        return counter;
    }

    private static void observe(Retry retry, Counter ignored) {
        retry.getEventPublisher()
                .onRetry(event -> log.warn(
                        "Try {} of {} failed, the next one follows in {} ms: {}",
                        event.getNumberOfRetryAttempts(),
                        event.getName(),
                        event.getWaitInterval().toMillis(),
                        Failures.describe(event.getLastThrowable())))
                .onSuccess(event ->
                        log.info("{} succeeded after {} failures", event.getName(), event.getNumberOfRetryAttempts()))
                .onError(event -> log.error(
                        "{} failed for good, tries: {}: {}",
                        event.getName(),
                        event.getNumberOfRetryAttempts(),
                        Failures.describe(event.getLastThrowable())))
                .onIgnoredError(event -> {
                    ignored.increment();
                    log.info(
                            "{} failed and is not tried again: {}",
                            event.getName(),
                            Failures.describe(event.getLastThrowable()));
                });
    }
}
