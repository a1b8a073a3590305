package dev.waybill.benchmarks.report;

import java.util.Locale;

/** What a figure of a scenario is held to. Immutable. */
public record Bar(String scenario, String metric, Direction direction, double limit) {

    /** Which side of the limit is good. */
    public enum Direction {
        AT_LEAST(">="),
        MORE_THAN(">"),
        AT_MOST("<=");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    public boolean isMetBy(double value) {
        return switch (direction) {
            case AT_LEAST -> value >= limit;
            case MORE_THAN -> value > limit;
            case AT_MOST -> value <= limit;
        };
    }

    /** The same bar with the scenario that it is applied to. */
    public Bar in(String name) {
        return new Bar(name, metric, direction, limit);
    }

    public String text() {
        String number =
                limit == Math.rint(limit) ? Long.toString((long) limit) : String.format(Locale.ROOT, "%.2f", limit);
        return direction.sign + " " + number;
    }
}
