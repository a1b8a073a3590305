package dev.waybill.server.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers and times as people say them. */
final class Words {

    private Words() {}

    /** {@code 1 dead letter}, {@code 3,000 dead letters}. */
    static String count(long number, String thing) {
        return number(number) + " " + thing + (number == 1 ? "" : "s");
    }

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Two units at most: {@code 3m 12s}, {@code 2d 4h}. A time that a clock ahead of ours made negative is none. */
    static String duration(Duration time) {
        if (time.isNegative()) {
            return "0s";
        }
        if (time.toDays() > 0) {
            return two(time.toDays(), "d", time.toHoursPart(), "h");
        }
        if (time.toHours() > 0) {
            return two(time.toHours(), "h", time.toMinutesPart(), "m");
        }
        return time.toMinutes() > 0 ? two(time.toMinutes(), "m", time.toSecondsPart(), "s") : time.toSeconds() + "s";
    }

    private static String two(long big, String bigUnit, long small, String smallUnit) {
        return number(big) + bigUnit + (small == 0 ? "" : " " + small + smallUnit);
    }

    static String ago(Instant moment) {
        return duration(Duration.between(moment, Instant.now())) + " ago";
    }

    /** In a form that the commands take as well, and how long ago or ahead that is. */
    static String moment(Instant moment) {
        Instant now = Instant.now();
        return seconds(moment)
                + (moment.isAfter(now)
                        ? " (in " + duration(Duration.between(now, moment)) + ")"
                        : " (" + ago(moment) + ")");
    }

    static String seconds(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** With a capital letter and a full stop. */
    static String sentence(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
    }

    /** For a line of its own: the rest of a text in several lines is only hinted at. */
    static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end) + " ...";
    }

    static String bytes(long size) {
        return count(size, "byte");
    }
}
