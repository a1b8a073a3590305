package dev.waybill.inbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a consumer counts. Thread-safe. */
final class InboxMeters {
    private final String consumer;
    private final IdempotencyMeters checks;
    private final Map<Receipt.Kind, Counter> receipts = new EnumMap<>(Receipt.Kind.class);
    private final Timer duration;

    InboxMeters(String consumer, MeterRegistry registry) {
        this.consumer = consumer;
        checks = new IdempotencyMeters(registry);
        for (Receipt.Kind kind : Receipt.Kind.values()) {
            receipts.put(
                    kind,
                    Counter.builder("inbox.events")
                            .description("Events that a consumer was given, by what became of them")
                            .tag("consumer", consumer)
                            .tag("result", kind.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        duration = Timer.builder("inbox.handling.duration")
                .description("How long a handler takes, whether it succeeds or not")
                .tag("consumer", consumer)
                .register(registry);
    }

    Receipt count(Receipt receipt) {
        Counter counter = receipts.get(receipt.kind());
        if (counter != null) {
            counter.increment();
        }
        return receipt;
    }

    void checked(Claim claim) {
        checks.count(consumer, claim);
    }

    void took(long nanos) {
        duration.record(nanos, TimeUnit.NANOSECONDS);
    }
}
