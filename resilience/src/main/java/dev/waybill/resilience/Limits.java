package dev.waybill.resilience;

import dev.waybill.OneLine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What values are allowed; {@code null}, where a setting may be left out, is. */
final class Limits {
    static final Duration LONGEST = Duration.ofDays(1);
    static final int MOST = 10_000;
    private static final int LONGEST_NAME = 200;

    private Limits() {}

    static void number(String setting, @Nullable Integer value) {
        if (value != null && (value < 1 || value > MOST)) {
            throw new IllegalArgumentException(setting + " is " + value + "; it must be between 1 and " + MOST + ".");
        }
    }

    static void time(String setting, @Nullable Duration value) {
        if (value != null && (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException(
                    setting + " is " + value + "; it must be between 1 ms and " + LONGEST.toHours() + " hours.");
        }
    }

    static void percentage(String setting, @Nullable Double value) {
        // Written so that NaN is refused. A breaker counts in floats, in which less than the smallest is nothing.
        if (value != null && !(value.floatValue() > 0 && value <= 100)) {
            throw new IllegalArgumentException(setting + " is " + value + "; it must be above 0 and at most 100 (%).");
        }
    }

    static void factor(String setting, @Nullable Double value, double least, double most) {
        if (value != null && !(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    setting + " is " + value + "; it must be between " + least + " and " + most + ".");
        }
    }

    static void name(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME || !OneLine.of(name).equals(name)) {
            throw new IllegalArgumentException(
                    "\"" + Failures.oneLine(name) + "\" is no name for an operation or consumer;" + " use 1 to "
                            + LONGEST_NAME + " printable characters.");
        }
    }
}
