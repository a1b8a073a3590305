package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.testkit.check.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the demo came to. Immutable.
 *
 * @param database    in words, without credentials
 * @param transport   in words
 * @param seconds     from the first order to the last effect
 * @param verdict     of orders; its duplicates are deliveries that consumers had already
 * @param doubled     orders with more effects than they should have
 * @param pending     events that were still in an outbox or put aside at the end
 * @param latency     from the commit of an order to its first effect in another service
 * @param roundTrip   from the commit of an order to its end
 * @param chaosEvents relays killed and outages
 * @param consumer    {@code null}: nothing failed on purpose
 */
record DemoReport(
        String database,
        String transport,
        DemoConfig config,
        double seconds,
        Verdict verdict,
        long doubled,
        long pending,
        long deadLetters,
        Percentiles latency,
        Percentiles roundTrip,
        HeapUse heap,
        long chaosEvents,
        @Nullable ConsumerState consumer) {

    boolean holds() {
        return verdict.holds()
                && doubled == 0
                && pending == 0
                && deadLetters == 0
                && isMemoryFlat()
                && (consumer == null || (consumer.dead() == 0 && consumer.aside() == 0 && consumer.behind() == 0));
    }

    boolean isMemoryFlat() {
        return heap.isFlat(Duration.ofMillis(Math.round(seconds * 1e3)));
    }

    double deliveredPerSecond() {
        return seconds == 0 ? 0 : verdict.delivered() / seconds;
    }

    void write(Path file) {
        try {
            Files.writeString(file, JsonTarget.text(figures()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Figures figures() {
        Figures figures = new Figures()
                .with("database", database)
                .with("transport", config.transport())
                .with("retention", config.retention().toString())
                .with("relays", config.relays())
                .with("rate", config.rate())
                .with("keys", config.keys())
                .with("faults", config.faults())
                .with("seconds", rounded(seconds))
                .with("written", verdict.written())
                .with("rolledBack", verdict.rolledBack())
                .with("undecided", verdict.undecided())
                .with("delivered", verdict.delivered())
                .with("deliveredPerSecond", rounded(deliveredPerSecond()))
                .with("duplicates", verdict.duplicates())
                .with("doubled", doubled)
                .with("lost", verdict.lost())
                .with("ghosts", verdict.ghosts())
                .with("outOfOrder", verdict.outOfOrder())
                .with("pending", pending)
                .with("deadLetters", deadLetters)
                .with("p50Ms", latency.p50())
                .with("p99Ms", latency.p99())
                .with("maxMs", latency.max())
                .with("roundTripP50Ms", roundTrip.p50())
                .with("roundTripP99Ms", roundTrip.p99())
                .with("heapFirstMinuteMb", rounded(heap.firstMinute()))
                .with("heapEndMb", rounded(heap.end()))
                .with("heapRatio", hundredths(heap.ratio()))
                .with("chaosEvents", chaosEvents);
        if (consumer != null) {
            figures.with("handled", consumer.handled())
                    .with("putAside", consumer.putAside())
                    .with("deferred", consumer.deferred())
                    .with("retries", consumer.retries())
                    .with("asideAtEnd", consumer.aside())
                    .with("waitingBehindAtEnd", consumer.behind())
                    .with("consumerDeadLettersOpen", consumer.dead())
                    .with("consumerDeadLettersResolved", consumer.resolved())
                    .with("outages", consumer.outages())
                    .with("breaker", consumer.breaker());
        }
        return figures.with("holds", holds());
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static double hundredths(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
