package dev.waybill.benchmarks.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.benchmarks.journal.Findings;
import dev.waybill.benchmarks.report.Figure;
import dev.waybill.benchmarks.report.Report;
import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole way, with sizes that measure nothing: workers, PostgreSQL, contenders, checker, report. */
class BenchRunTest {
    private static final Sizes TINY = new Sizes(
            1,
            1,
            Duration.ofMillis(50),
            1,
            1,
            Duration.ofMillis(200),
            2_000,
            500,
            Duration.ofMillis(200),
            100,
            1_000,
            Duration.ofSeconds(1),
            1_000);

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void writeAndDrainMeasureEveryContenderAndLoseNothing() {
        Report report = run("write", "drain").run();
        assertThat(report.environment()).containsEntry("fsync", "on").containsEntry("synchronous_commit", "on");
        assertThat(report.figures())
                .extracting(figure -> figure.what() + ", " + figure.contender())
                .containsExactlyInAnyOrder(
                        "one event a transaction, no outbox",
                        "one event a transaction, raw JDBC",
                        "one event a transaction, Waybill",
                        "ten events a transaction, raw JDBC",
                        "ten events a transaction, Waybill",
                        "retention 0, raw JDBC",
                        "retention 0, Waybill",
                        "retention 24 h, raw JDBC",
                        "retention 24 h, Waybill");
        assertThat(report.figures())
                .allSatisfy(
                        (Figure figure) -> assertThat(figure.spread().median()).isPositive());
        assertThat(published(report, "write")).isPositive();
        // Two retentions, each with a round that warms up.
        assertThat(published(report, "drain")).isEqualTo(4 * 2_000);
        assertThat(report.findings()).allSatisfy((scenario, found) -> {
            assertThat(found.lost()).isZero();
            assertThat(found.outOfOrder()).isZero();
            assertThat(found.ghosts()).isZero();
        });
        assertThat(err.toString(UTF_8)).contains("drain: round 1 of 1, Waybill");
    }

    @Test
    void aRunThatIsStoppedEndsAtItsNextStep() {
        BenchRun run = run("drain");
        run.stop();
        assertThatThrownBy(run::run).isInstanceOf(StoppedException.class);
    }

    @Test
    void aBacklogGrowsWhenItsEndIsHigherThanItsMiddle() {
        assertThat(Sustained.grows(List.of(0L, 900L, 10L, 12L, 9L, 14L), 10)).isFalse();
        assertThat(Sustained.grows(List.of(0L, 5L, 100L, 200L, 300L, 400L), 10)).isTrue();
        assertThat(Sustained.grows(List.of(), 10)).isFalse();
    }

    private static long published(Report report, String scenario) {
        return report.findings().getOrDefault(scenario, Findings.NONE).published();
    }

    private BenchRun run(String... scenarios) {
        PrintStream stream = new PrintStream(err, true, UTF_8);
        return new BenchRun(List.of(scenarios), TINY, null, Terminal.plain(stream, stream));
    }
}
