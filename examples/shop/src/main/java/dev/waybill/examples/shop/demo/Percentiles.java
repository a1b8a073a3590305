package dev.waybill.examples.shop.demo;

import org.HdrHistogram.Histogram;

/** What matters of a distribution of latencies, in milliseconds; all zero if there were none. */
record Percentiles(long count, double p50, double p99, double max) {

    static Percentiles ofMicros(Histogram histogram) {
        return new Percentiles(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getMaxValue() / 1e3);
    }
}
