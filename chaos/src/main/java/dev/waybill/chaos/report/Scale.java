package dev.waybill.chaos.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Where values stand in a panel of a picture. */
record Scale(DoubleUnaryOperator share, int top, int height, List<Double> ticks) {
    private static final int LINES = 4;
    private static final List<Integer> STEPS = List.of(5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600);
    private static final int MOST_LABELS = 14;

    static Scale linear(double most, int top, int height) {
        double step = niceStep(Math.max(1, most) / LINES);
        double end = Math.ceil(Math.max(1, most) / step) * step;
        List<Double> ticks = new ArrayList<>();
        for (double tick = 0; tick <= end; tick += step) {
            ticks.add(tick);
        }
        return new Scale(value -> value / end, top, height, ticks);
    }

    static Scale logarithmic(double least, double most, int top, int height) {
        double decades = Math.ceil(Math.log10(most / least));
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i <= decades; i++) {
            ticks.add(least * Math.pow(10, i));
        }
        return new Scale(value -> Math.log10(Math.max(least, value) / least) / decades, top, height, ticks);
    }

    double y(double value) {
        return top + height * (1 - share.applyAsDouble(value));
    }

    static double most(double[]... series) {
        return Arrays.stream(series)
                .flatMapToDouble(Arrays::stream)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(1);
    }

    /** Seconds between two labels on the axis of time. */
    static int step(int seconds) {
        return STEPS.stream()
                .filter(step -> seconds / step <= MOST_LABELS)
                .findFirst()
                .orElse(seconds);
    }

    private static double niceStep(double rough) {
        double magnitude = Math.pow(10, Math.floor(Math.log10(rough)));
        double digits = rough / magnitude;
        return magnitude * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
    }
}
