package dev.waybill.chaos.check;

import java.time.Duration;
import java.util.Locale;

/** Something that has to hold, and whether it does. */
public record Check(String name, String value, String bar, boolean holds) {
    static Check zero(String name, long value) {
        return new Check(name, number(value), "0", value == 0);
    }

    static Check atMost(String name, long value, long bar) {
        return new Check(name, number(value), "at most " + number(bar), value <= bar);
    }

    static Check atMost(String name, Duration value, Duration bar) {
        return new Check(name, seconds(value), "at most " + seconds(bar), value.compareTo(bar) <= 0);
    }

    static Check atLeast(String name, long value, long bar) {
        return new Check(name, number(value), "at least " + number(bar), value >= bar);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
