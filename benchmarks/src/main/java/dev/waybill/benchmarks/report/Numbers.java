package dev.waybill.benchmarks.report;

import dev.waybill.benchmarks.measure.Spread;
import java.util.Locale;

/** How figures are shown: three digits that mean something. */
final class Numbers {
    private static final double WHOLE = 100;

    private Numbers() {}

    static String text(double value) {
        if (Math.abs(value) >= WHOLE || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        return String.format(Locale.ROOT, Math.abs(value) >= WHOLE / 10 ? "%.1f" : "%.2f", value);
    }

    static String interval(Spread spread) {
        return spread.low() == spread.high() ? "" : text(spread.low()) + " .. " + text(spread.high());
    }
}
