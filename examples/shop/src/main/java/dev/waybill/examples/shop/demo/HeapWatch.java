package dev.waybill.examples.shop.demo;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** How much of the heap is in use after a garbage collection: after the first minute, and at the end. For one thread. */
final class HeapWatch {
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final double MEGABYTE = 1024 * 1024;

    private double first;

    /** Measures when the first minute is over. */
    void look(Duration elapsed) {
        if (first == 0 && elapsed.compareTo(FIRST) >= 0) {
            first = used();
        }
    }

    /** Measures now. */
    HeapUse end() {
        return new HeapUse(first, used());
    }

    // Only what is left after a collection tells whether something grows.
    private static double used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
    }
}
