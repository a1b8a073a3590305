package dev.waybill.chaos.report;

import dev.waybill.chaos.check.Passage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/** Figures for each second of a run. */
final class Series {
    private final long began;
    private final int seconds;

    Series(long began, long ended) {
        this.began = began;
        seconds = Math.max(1, (int) ((ended - began + 999) / 1000));
    }

    int seconds() {
        return seconds;
    }

    /** How many fall into each second. */
    double[] rate(List<Passage> passages, ToLongFunction<Passage> moment) {
        double[] rate = new double[seconds];
        for (Passage passage : passages) {
            int second = second(moment.applyAsLong(passage));
            if (second >= 0) {
                rate[second]++;
            }
        }
        return rate;
    }

    /** A quantile of the milliseconds that those took which became available in each second; NaN: there were none. */
    double[] latency(List<Passage> passages, double quantile) {
        List<List<Long>> each = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            each.add(new ArrayList<>());
        }
        for (Passage passage : passages) {
            int second = second(passage.available());
            if (second >= 0) {
                each.get(second).add(passage.done() - passage.available());
            }
        }
        return each.stream().mapToDouble(one -> quantile(one, quantile)).toArray();
    }

    static double quantile(List<Long> values, double quantile) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(quantile * (sorted.size() - 1))));
    }

    private int second(long millis) {
        long second = Math.floorDiv(millis - began, 1000L);
        return second < 0 || second >= seconds ? -1 : (int) second;
    }
}
