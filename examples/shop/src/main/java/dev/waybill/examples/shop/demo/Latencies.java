package dev.waybill.examples.shop.demo;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Latencies of the whole run and of its last slices. Recording is thread-safe and wait-free. */
final class Latencies {
    private static final int DIGITS = 3;

    private final int slices;
    private final Recorder recorder = new Recorder(DIGITS);
    private final Deque<Histogram> recent = new ArrayDeque<>();
    private final Histogram overall = new Histogram(DIGITS);

    /** Remembers so many slices as recent; {@link #nextSlice} ends one. */
    Latencies(int slices) {
        this.slices = slices;
    }

    /** A negative latency counts as none: the consumer was called before the writer heard of its commit. */
    void record(Duration latency) {
        recorder.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(latency.toNanos())));
    }

    synchronized void nextSlice() {
        Histogram slice = recorder.getIntervalHistogram();
        overall.add(slice);
        recent.addLast(slice);
        if (recent.size() > slices) {
            recent.removeFirst();
        }
    }

    synchronized Percentiles recent() {
        Histogram sum = new Histogram(DIGITS);
        recent.forEach(sum::add);
        return Percentiles.ofMicros(sum);
    }

    synchronized Percentiles overall() {
        return Percentiles.ofMicros(overall);
    }
}
