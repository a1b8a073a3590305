package dev.waybill.testkit.sim;

import dev.waybill.testkit.check.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What came of one seed. Immutable.
 *
 * @param drained   how long it took, once everything was healed, until everything had arrived
 * @param counts    how often what happened
 * @param problems  what was wrong; empty: the promises held
 * @param traceHash the same for two runs of the same seed
 */
record Run(
        long seed,
        boolean sound,
        Verdict verdict,
        Duration drained,
        Map<String, Long> counts,
        List<String> problems,
        long traceHash) {

    Run {
        counts = Map.copyOf(counts);
        problems = List.copyOf(problems);
    }

    boolean failed() {
        return !problems.isEmpty();
    }
}
