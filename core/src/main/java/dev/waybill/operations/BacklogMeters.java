package dev.waybill.operations;

import dev.waybill.operations.Statistics.OfDestination;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of what is in an outbox, by destination: as of the last sample. Thread-safe.
 *
 * <p>A sample reads the whole backlog, so it is taken every quarter of a minute or so and not with every scrape.
 */
public final class BacklogMeters {
    private static final double SECOND = Duration.ofSeconds(1).toMillis();

    private final Operations operations;
    private final MultiGauge pending;
    private final MultiGauge oldestAge;
    private final MultiGauge dead;
    private final MultiGauge waiting;
    private final MultiGauge parkedKeys;
    private final MultiGauge paused;

    public BacklogMeters(Operations operations, MeterRegistry registry) {
        this.operations = operations;
        pending = gauge(registry, "outbox.entries.pending", "Entries that have not arrived");
        oldestAge = MultiGauge.builder("outbox.entries.oldest.age")
                .description("How long the oldest entry that is due has been waiting")
                .baseUnit("seconds")
                .register(registry);
        dead = gauge(registry, "outbox.dead.letters", "Dead letters that nobody has decided about");
        waiting = gauge(registry, "outbox.entries.waiting", "Entries behind dead letters and of paused keys");
        parkedKeys = gauge(registry, "outbox.keys.parked", "Keys that are parked, paused or releasing");
        paused = gauge(registry, "outbox.destinations.paused", "1 for a destination that is held back by decision");
    }

    /** Reads the figures anew. */
    public void sample() {
        List<OfDestination> all = operations.statistics().destinations();
        set(pending, all, OfDestination::pending);
        set(
                oldestAge,
                all,
                one -> one.oldestAge().map(age -> age.toMillis() / SECOND).orElse(0.0));
        set(dead, all, OfDestination::dead);
        set(waiting, all, OfDestination::waiting);
        set(parkedKeys, all, OfDestination::parkedKeys);
        set(paused, all, one -> one.paused() ? 1 : 0);
    }

    private static void set(MultiGauge gauge, List<OfDestination> all, ToDoubleFunction<OfDestination> figure) {
        gauge.register(
                all.stream()
                        .map(one -> Row.of(Tags.of("destination", one.destination()), figure.applyAsDouble(one)))
                        .toList(),
                true);
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }
}
