package dev.waybill.examples.shop.demo;

import java.time.Duration;

/**
 * Megabytes of the heap in use after a garbage collection. Immutable.
 *
 * @param firstMinute after the first minute; 0 if the run was shorter
 */
record HeapUse(double firstMinute, double end) {
    private static final double MOST_GROWTH = 1.2;
    private static final Duration SHORTEST_PROOF = Duration.ofMinutes(5);

    /** The end in relation to the first minute; 0 if there is none. */
    double ratio() {
        return firstMinute == 0 ? 0 : end / firstMinute;
    }

    /** Whether memory stayed flat. A short run proves nothing, and passes. */
    boolean isFlat(Duration run) {
        return run.compareTo(SHORTEST_PROOF) < 0 || ratio() <= MOST_GROWTH;
    }
}
