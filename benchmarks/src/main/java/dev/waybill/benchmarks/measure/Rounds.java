package dev.waybill.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures several things in turn, so that what disturbs a machine for a while disturbs all of them: round by round, and
 * every other round backwards. Not thread-safe.
 */
public final class Rounds {

    /** Measures once. */
    public interface Measure {
        double figure();
    }

    /** Is told before each measurement. */
    public interface Watcher {

        /** Round 0 is the one that warms up, and does not count. */
        void begins(int round, int rounds, String name);
    }

    private final Map<String, Measure> measures = new LinkedHashMap<>();

    public Rounds with(String name, Measure measure) {
        measures.put(name, measure);
        return this;
    }

    /** All figures, by name and in the order of rounds. */
    public Map<String, double[]> run(int rounds, Watcher watcher) {
        Map<String, double[]> figures = new LinkedHashMap<>();
        measures.keySet().forEach(name -> figures.put(name, new double[rounds]));
        for (int round = 0; round <= rounds; round++) {
            List<Map.Entry<String, Measure>> order = new ArrayList<>(measures.entrySet());
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (Map.Entry<String, Measure> next : order) {
                watcher.begins(round, rounds, next.getKey());
                double figure = next.getValue().figure();
                double[] found = figures.get(next.getKey());
                if (round > 0 && found != null) {
                    found[round - 1] = figure;
                }
            }
        }
        return figures;
    }
}
