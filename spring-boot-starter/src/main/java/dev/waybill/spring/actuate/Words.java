package dev.waybill.spring.actuate;

import java.time.Duration;

/** Durations as people write them. */
final class Words {

    private Words() {}

    /** As in settings: {@code 1d4h}, {@code 6m12s}, {@code 250ms}. */
    static String duration(Duration duration) {
        if (duration.toSeconds() == 0) {
            return duration.toMillis() + "ms";
        }
        StringBuilder text = new StringBuilder();
        add(text, duration.toDaysPart(), "d");
        add(text, duration.toHoursPart(), "h");
        add(text, duration.toMinutesPart(), "m");
        add(text, duration.toSecondsPart(), "s");
        return text.toString();
    }

    private static void add(StringBuilder text, long number, String unit) {
        if (number > 0) {
            text.append(number).append(unit);
        }
    }
}
