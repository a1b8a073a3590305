package dev.waybill.benchmarks.measure;

import java.util.Arrays;

/**
 * The median of some figures, and an interval that the true one lies in with a probability of 95 % or more, as far as
 * their number allows. It holds whatever the figures' distribution is.
 *
 * @param low  lower end of the interval
 * @param high upper end of the interval
 */
public record Spread(double median, double low, double high) {
    private static final double CONFIDENCE = 0.95;

    /** Of one figure or more. */
    public static Spread of(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("There are no figures");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int skipped = skipped(sorted.length);
        return new Spread(median(sorted), sorted[skipped], sorted[sorted.length - 1 - skipped]);
    }

    /** Of what each of the first figures is to its partner among the second ones. */
    public static Spread ofRatios(double[] figures, double[] partners) {
        return of(ratios(figures, partners));
    }

    public static double[] ratios(double[] figures, double[] partners) {
        if (figures.length != partners.length) {
            throw new IllegalArgumentException(figures.length + " figures have " + partners.length + " partners");
        }
        double[] ratios = new double[figures.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figures[i] / partners[i];
        }
        return ratios;
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * How many figures may be left out at each end. The true median is below the lowest figure but k with the
     * probability that at most k of n tosses of a coin show heads.
     */
    private static int skipped(int n) {
        double outside = 0;
        double ways = 1;
        int skipped = 0;
        for (int k = 0; k < n / 2; k++) {
            outside += 2 * ways * Math.pow(0.5, n);
            if (outside > 1 - CONFIDENCE) {
                break;
            }
            skipped = k;
            ways = ways * (n - k) / (k + 1);
        }
        return skipped;
    }
}
