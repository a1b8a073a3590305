package dev.waybill.testkit.sim;

import java.util.Map;
import java.util.TreeMap;

/** How often what happened. Not thread-safe. */
final class Tally {
    private final Map<String, Long> counts = new TreeMap<>();

    void count(String what) {
        count(what, 1);
    }

    void count(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    Map<String, Long> counts() {
        return Map.copyOf(counts);
    }
}
