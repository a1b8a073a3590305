package dev.waybill.fuzz;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What became of some targets in one JVM. Immutable.
 *
 * @param seed     with which the same inputs come again, as long as the code and the machine are the same
 * @param inputs   how many each target was given
 * @param coverage how many edges of our code they took
 * @param time     how long it took, with the start
 */
record Report(long seed, Map<String, Long> inputs, long coverage, Duration time, List<Finding> findings) {

    Report {
        inputs = Map.copyOf(inputs);
        findings = List.copyOf(findings);
    }

    long total() {
        return inputs.values().stream().mapToLong(Long::longValue).sum();
    }
}
