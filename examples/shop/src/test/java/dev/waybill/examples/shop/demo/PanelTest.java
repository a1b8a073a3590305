package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.examples.shop.demo.Snapshot.Backlog;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import dev.waybill.examples.shop.demo.Snapshot.Incident;
import dev.waybill.examples.shop.demo.Snapshot.Phase;
import dev.waybill.examples.shop.demo.Snapshot.RelayState;
import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PanelTest {
    private static final List<Incident> NONE = List.of();
    private static final ConsumerState BUSY =
            new ConsumerState(12_333, 7_654_321, 98_765, 1_000_000, 1_234_567, 789, 12, 3_456, 7, "half open");

    @Test
    void everyLineFitsIntoEightyColumns() {
        List<Incident> incidents = Stream.generate(
                        () -> new Incident(Duration.ofSeconds(61), "relay 2 killed " + "x".repeat(200) + "\nand more"))
                .limit(8)
                .toList();
        assertThat(lines(
                        false,
                        true,
                        snapshot(incidents, incidents, new Backlog(1_234_567, Duration.ofMinutes(2)), BUSY)))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Panel.WIDTH));
    }

    @Test
    void itsHeightDoesNotDependOnWhatHappened() {
        List<Incident> two = List.of(new Incident(Duration.ZERO, "one"), new Incident(Duration.ZERO, "two"));
        assertThat(lines(true, true, snapshot(two, two, null, BUSY)))
                .hasSameSizeAs(lines(true, true, snapshot(NONE, NONE, null)));
    }

    @Test
    void withoutColourThereIsNoEscapeSequence() {
        assertThat(lines(false, true, snapshot(NONE, NONE, null)))
                .allSatisfy(line -> assertThat(line).doesNotContain("\u001b"));
        assertThat(String.join("", lines(true, true, snapshot(NONE, NONE, null))))
                .contains("\u001b[");
    }

    @Test
    void withoutUnicodeThereIsOnlyAscii() {
        assertThat(lines(false, false, snapshot(NONE, NONE, null)))
                .allSatisfy(line -> assertThat(line).matches("\\p{ASCII}*"));
    }

    @Test
    void itShowsKilledRelaysTheNewestFaultFirstAndADatabaseThatDoesNotAnswer() {
        List<Incident> chaos =
                List.of(new Incident(Duration.ofSeconds(5), "older"), new Incident(Duration.ofSeconds(65), "newer"));
        String text = String.join("\n", lines(false, true, snapshot(chaos, NONE, null)));
        assertThat(text)
                .contains(
                        "orders 1 owns 32",
                        "orders 2 killed",
                        "inventory down",
                        "the database does not answer",
                        "chaos      01:05 newer");
        assertThat(text.indexOf("newer")).isLessThan(text.indexOf("older"));
    }

    @Test
    void aConsumerWithAnInboxIsShownWithWhatFailed() {
        assertThat(String.join("\n", lines(false, true, snapshot(NONE, NONE, null, BUSY))))
                .contains(
                        "delivered     12,333",
                        "aside      1,234,567   of 7,654,321 put aside, 1,000,000 retries",
                        "dead              12   open, 3,456 resolved, 789 wait behind dead letters",
                        "breaker    ✖ half open, 98,765 deferred");
        assertThat(LineView.line(snapshot(NONE, NONE, null, BUSY)))
                .contains("delivered 12,333", "waiting behind 789", "dead 12, resolved 3,456", "breaker half open");
    }

    @Test
    void aLineHasAllNumbers() {
        assertThat(LineView.line(snapshot(NONE, NONE, new Backlog(12, Duration.ofMillis(340)))))
                .contains(
                        "01:07",
                        "written 12,345",
                        "rolled back 1,372",
                        "delivered 12,333 (499/s)",
                        "pending 12 (oldest 0.3 s)",
                        "p50 1.5 ms",
                        "p99 140 ms",
                        "shards 32+-");
    }

    private static List<String> lines(boolean color, boolean unicode, Snapshot snapshot) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(InputStream.nullInputStream(), nowhere, nowhere, true, color, unicode);
        DemoConfig config = new DemoConfig(
                "h2",
                null,
                null,
                DemoConfig.IN_PROCESS,
                null,
                500,
                2,
                1000,
                true,
                true,
                null,
                Duration.ZERO,
                DemoConfig.NO_METRICS,
                null);
        return new Panel("H2 file", config, Path.of("/tmp/x.log"), terminal).lines(snapshot);
    }

    private static Snapshot snapshot(List<Incident> chaos, List<Incident> errors, @Nullable Backlog backlog) {
        return snapshot(chaos, errors, backlog, null);
    }

    private static Snapshot snapshot(
            List<Incident> chaos, List<Incident> errors, @Nullable Backlog backlog, @Nullable ConsumerState consumer) {
        return new Snapshot(
                Duration.ofSeconds(67),
                Phase.RUNNING,
                new Counts(12_345, 1_372, 12_333, 3, 0, 0),
                500,
                499.4,
                Stream.iterate(0.0, x -> (x + 70) % 600).limit(42).toList(),
                backlog,
                new Percentiles(2500, 1.5, 140.2, 200),
                new Percentiles(12_333, 1.4, 2911, 3400),
                List.of(new RelayState("orders 1", true, 32), new RelayState("orders 2", false, 0)),
                "inventory",
                consumer,
                chaos,
                errors);
    }
}
