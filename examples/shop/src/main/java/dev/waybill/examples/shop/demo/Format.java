package dev.waybill.examples.shop.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Numbers and times as the view shows them. */
final class Format {
    private static final String UNICODE_BARS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = " ..::||##";

    private Format() {}

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** {@code 1 dead letter}, {@code 3,000 dead letters}. */
    static String count(long value, String thing) {
        return count(value) + " " + thing + (value == 1 ? "" : "s");
    }

    static String count(long value, String one, String many) {
        return count(value) + " " + (value == 1 ? one : many);
    }

    static String megabytes(double value) {
        return count(Math.round(value)) + " MB";
    }

    static String perSecond(double value) {
        return count(Math.round(value)) + "/s";
    }

    static String clock(Duration time) {
        return String.format(Locale.ROOT, "%02d:%02d", time.toMinutes(), time.toSecondsPart());
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }

    /** As the options take it: {@code 24h}, {@code 90s}. */
    static String span(Duration time) {
        String text = time.toString().toLowerCase(Locale.ROOT);
        return text.substring(text.indexOf('t') + 1);
    }

    static String millis(double millis) {
        if (millis >= 1000) {
            return String.format(Locale.ROOT, "%.2f s", millis / 1e3);
        }
        return String.format(Locale.ROOT, millis >= 100 ? "%.0f ms" : "%.1f ms", millis);
    }

    /** A bar for each value; a full one stands for {@code top} and more. */
    static String bars(List<Double> values, double top, boolean unicode) {
        String bars = unicode ? UNICODE_BARS : ASCII_BARS;
        int highest = bars.length() - 1;
        StringBuilder text = new StringBuilder();
        for (double value : values) {
            text.append(bars.charAt(Math.min(highest, (int) Math.ceil(value / top * highest))));
        }
        return text.toString();
    }
}
