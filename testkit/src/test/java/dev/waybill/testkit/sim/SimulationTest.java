package dev.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class SimulationTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.waybill");

    /** Thousands of simulated failures are no news. */
    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    @Test
    void aSeedDecidesEverything() {
        for (long seed = 1; seed <= 20; seed++) {
            List<String> first = new ArrayList<>();
            List<String> second = new ArrayList<>();
            Run run = Simulation.run(seed, Cut.NONE, first::add);
            Run again = Simulation.run(seed, Cut.NONE, second::add);

            assertThat(second).isEqualTo(first);
            assertThat(again).isEqualTo(run);
            assertThat(Simulation.run(seed).traceHash())
                    .as("also when nobody reads the trace")
                    .isEqualTo(run.traceHash());
        }
        assertThat(LongStream.rangeClosed(1, 20)
                        .map(seed -> Simulation.run(seed).traceHash())
                        .distinct())
                .hasSize(20);
    }

    @Test
    void aSeedGivesTheSameTraceTwice() {
        assertThat(traceHashes()).isEqualTo(traceHashes());
    }

    /** What waited for somebody else did so by the real clock. */
    @Test
    void nothingInAWorldWaitsByTheClockOnTheWall() {
        assertThat(LongStream.range(0, 5).map(time -> Simulation.run(1889).traceHash()))
                .containsOnly(Simulation.run(1889).traceHash());
    }

    private static long[] traceHashes() {
        return LongStream.rangeClosed(1, 300)
                .parallel()
                .map(seed -> Simulation.run(seed).traceHash())
                .toArray();
    }

    /** Worlds that showed a bug of the product, or of the simulator, when it was there; the dice may have changed since. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                62,
                87,
                112,
                266,
                299,
                352,
                434,
                679,
                1889,
                2128,
                4120,
                5928,
                50_884_890,
                93_227_867,
                93_229_552,
                253_593_021,
                389_273_780,
                389_273_834,
                389_274_715,
                389_276_054,
                463_974_274,
                526_627_817,
                673_900_267,
                674_007_877,
                674_023_883,
                740_878_286,
                750_809_742,
                785_340_304,
                829_481_171,
                829_481_465,
                855_812_570
            })
    void whatOnceFailedHoldsNow(long seed) {
        assertThat(Simulation.run(seed).problems()).isEmpty();
    }

    @Test
    void aWorldWithoutAnyTroubleIsSound() {
        Cut nothing = Cut.NONE.withWriters(1).withRelays(1).withSeconds(2);
        for (Trouble trouble : Trouble.values()) {
            nothing = nothing.without(trouble);
        }
        Run run = Simulation.run(1, nothing);
        assertThat(run.problems()).isEmpty();
        assertThat(run.counts().keySet())
                .doesNotContain("crashes", "store faults", "failovers", "database restarts", "refusals", "effects");
    }

    @Test
    void thePromisesHoldInManyWorlds() {
        List<Run> runs = LongStream.rangeClosed(1, 200)
                .parallel()
                .mapToObj(Simulation::run)
                .toList();

        assertThat(runs.stream()
                        .filter(Run::failed)
                        .map(run -> "seed " + run.seed() + ": " + run.problems().get(0)))
                .isEmpty();
        assertThat(runs.stream().filter(Run::sound))
                .as("without unsound faults nothing arrives twice")
                .hasSizeGreaterThan(10)
                .allSatisfy(run -> assertThat(run.verdict().duplicates()).isZero());
        Map<String, Long> counts = new TreeMap<>();
        runs.forEach(run -> run.counts().forEach((what, times) -> counts.merge(what, times, Long::sum)));
        assertThat(counts)
                .as("a world in which nothing goes wrong proves nothing")
                .containsKeys(
                        "abandoned transactions",
                        "answer faults",
                        "changes undone",
                        "consumer crashes",
                        "consumer dead letters",
                        "consumer store faults",
                        "corrections",
                        "crashes",
                        "database restarts",
                        "deferrals",
                        "duplicates skipped",
                        "effects",
                        "effects repeated",
                        "failovers",
                        "freezes",
                        "graceful stops",
                        "handler failures",
                        "left behind them",
                        "lock waits",
                        "long handlers",
                        "operator decisions",
                        "outages",
                        "pauses",
                        "reads ahead",
                        "rebalances",
                        "refusals",
                        "replayed",
                        "replayed to consumers",
                        "rollbacks",
                        "set aside",
                        "store faults",
                        "zombie calls");
    }
}
