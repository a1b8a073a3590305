package dev.waybill.server.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waybill.server.demo.Snapshot.ConsumerState;
import dev.waybill.testkit.check.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the demo came to. Immutable.
 *
 * @param database    in words, without credentials
 * @param transport   in words
 * @param seconds     from the first order to the last delivery
 * @param pending     entries that were still in the outbox at the end
 * @param chaosEvents relays killed and outages of the consumer
 * @param consumer    {@code null}: it has no inbox
 */
record DemoReport(
        String database,
        String transport,
        DemoConfig config,
        double seconds,
        Verdict verdict,
        long pending,
        long deadLetters,
        Percentiles latency,
        long chaosEvents,
        @Nullable ConsumerState consumer) {

    boolean holds() {
        return verdict.holds() && pending == 0 && deadLetters == 0 && isSettled();
    }

    /** With an inbox nothing takes effect twice, and once its cause is mended nothing stays a dead letter. */
    private boolean isSettled() {
        return consumer == null
                || (verdict.duplicates() == 0
                        && consumer.dead() == 0
                        && consumer.aside() == 0
                        && consumer.behind() == 0);
    }

    double deliveredPerSecond() {
        return seconds == 0 ? 0 : verdict.delivered() / seconds;
    }

    void write(Path file) {
        try (Writer writer = Files.newBufferedWriter(file)) {
            writeJson(writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void writeJson(Writer writer) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(writer).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("database", database);
            json.writeStringField("transport", config.transport());
            json.writeStringField("retention", config.retention().toString());
            json.writeNumberField("relays", config.relays());
            json.writeNumberField("rate", config.rate());
            json.writeNumberField("keys", config.keys());
            json.writeBooleanField("faults", config.faults());
            json.writeNumberField("seconds", rounded(seconds));
            json.writeNumberField("written", verdict.written());
            json.writeNumberField("rolledBack", verdict.rolledBack());
            json.writeNumberField("undecided", verdict.undecided());
            json.writeNumberField("delivered", verdict.delivered());
            json.writeNumberField("deliveredPerSecond", rounded(deliveredPerSecond()));
            json.writeNumberField("duplicates", verdict.duplicates());
            json.writeNumberField("lost", verdict.lost());
            json.writeNumberField("ghosts", verdict.ghosts());
            json.writeNumberField("outOfOrder", verdict.outOfOrder());
            json.writeNumberField("pending", pending);
            json.writeNumberField("deadLetters", deadLetters);
            json.writeNumberField("p50Ms", latency.p50());
            json.writeNumberField("p99Ms", latency.p99());
            json.writeNumberField("maxMs", latency.max());
            json.writeNumberField("chaosEvents", chaosEvents);
            if (consumer != null) {
                writeConsumer(json, consumer);
            }
            json.writeBooleanField("holds", holds());
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void writeConsumer(JsonGenerator json, ConsumerState consumer) throws IOException {
        json.writeNumberField("handled", consumer.handled());
        json.writeNumberField("putAside", consumer.putAside());
        json.writeNumberField("deferred", consumer.deferred());
        json.writeNumberField("retries", consumer.retries());
        json.writeNumberField("asideAtEnd", consumer.aside());
        json.writeNumberField("waitingBehindAtEnd", consumer.behind());
        json.writeNumberField("consumerDeadLettersOpen", consumer.dead());
        json.writeNumberField("consumerDeadLettersResolved", consumer.resolved());
        json.writeNumberField("outages", consumer.outages());
        json.writeStringField("breaker", consumer.breaker());
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
