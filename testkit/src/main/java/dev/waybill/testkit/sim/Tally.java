package dev.waybill.testkit.sim;

import java.util.Map;
import java.util.TreeMap;

/** How often what happened, and how many duplicates that allows. Not thread-safe. */
final class Tally {
    private final Map<String, Long> counts = new TreeMap<>();
    private long duplicatesAllowed;

    void count(String what) {
        count(what, 1);
    }

    void count(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    /** Something went wrong after which so many deliveries may be repeated. */
    void allowDuplicates(long deliveries) {
        duplicatesAllowed += deliveries;
    }

    long duplicatesAllowed() {
        return duplicatesAllowed;
    }

    Map<String, Long> counts() {
        return Map.copyOf(counts);
    }
}
