package dev.waybill.transport.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What an operator sees of a consumer's reading; it vanishes with the consumer. Thread-safe. */
final class ConsumerMeters {
    private final MeterRegistry registry;
    private final String consumer;
    private final List<Meter> meters = new ArrayList<>();

    ConsumerMeters(MeterRegistry registry, String consumer, Crew crew, PollLoop loop) {
        this.registry = registry;
        this.consumer = consumer;
        gauge("inbox.kafka.lag", "Records of the consumer's partitions that it has not read yet", loop::lag);
        gauge("inbox.kafka.in.flight", "Records that were read and not yet taken", () -> crew.ask(Dispatch::inFlight));
        gauge(
                "inbox.kafka.partitions",
                "Partitions that the consumer reads",
                () -> crew.ask(Dispatch::partitions).size());
        gauge(
                "inbox.kafka.paused",
                "1 while the consumer takes nothing or little, because its handlers or its store are out of order",
                () -> crew.ask(Dispatch::isHeldBack) ? 1 : 0);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        meters.add(Gauge.builder(name, value)
                .description(description)
                .tag("consumer", consumer)
                .register(registry));
    }

    void close() {
        meters.forEach(registry::remove);
    }
}
