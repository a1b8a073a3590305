package dev.waybill.examples.shop.demo;

import java.util.ArrayDeque;
import java.util.Deque;

/** How fast a counter grows. Not thread-safe. */
final class Rate {
    private record Sample(long nanos, long count) {}

    private final int window;
    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Averages over so many of the last samples. */
    Rate(int window) {
        this.window = window;
    }

    /** Adds a sample and tells the rate per second. */
    double perSecond(long nanos, long count) {
        samples.addLast(new Sample(nanos, count));
        if (samples.size() > window + 1) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        return nanos == first.nanos ? 0 : (count - first.count) * 1e9 / (nanos - first.nanos);
    }
}
