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
            Run run = Simulation.run(seed, first::add);
            Run again = Simulation.run(seed, second::add);

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
                        "answer faults",
                        "consumer crashes",
                        "consumer dead letters",
                        "consumer store faults",
                        "corrections",
                        "crashes",
                        "deferrals",
                        "duplicates skipped",
                        "effects",
                        "effects repeated",
                        "freezes",
                        "graceful stops",
                        "handler failures",
                        "left behind them",
                        "lock waits",
                        "long handlers",
                        "operator decisions",
                        "outages",
                        "pauses",
                        "rebalances",
                        "refusals",
                        "replayed to consumers",
                        "rollbacks",
                        "set aside",
                        "store faults",
                        "zombie calls");
    }
}
