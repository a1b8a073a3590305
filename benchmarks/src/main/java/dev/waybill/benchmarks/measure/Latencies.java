package dev.waybill.benchmarks.measure;

import java.util.Arrays;

/** Times from a commit to its delivery, in milliseconds. */
public record Latencies(double p50, double p99, double max, int count) {
    private static final double NANOS = 1e6;
    /** By how much the clocks of two processes may differ. */
    private static final long SLIP = 100_000;

    /** Nothing arrives before its commit: who sees a row first may see the commit's return later. */
    public static Latencies ofNanos(long... nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("Nothing was delivered");
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        if (sorted[sorted.length / 2] < -SLIP) {
            throw new IllegalStateException("Half of all arrived before they were committed: the clocks disagree");
        }
        return new Latencies(
                at(sorted, 0.5), at(sorted, 0.99), Math.max(0, sorted[sorted.length - 1]) / NANOS, sorted.length);
    }

    private static double at(long[] sorted, double quantile) {
        int index = (int) Math.ceil(quantile * sorted.length) - 1;
        return Math.max(0, sorted[Math.max(0, index)]) / NANOS;
    }
}
