package dev.waybill.server.demo;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for. Immutable.
 *
 * @param database {@code h2}, {@code postgres} or a JDBC URL
 * @param rate     orders committed per second
 * @param relays   how many relays share the work
 * @param keys     how many customers, whose orders are delivered in order
 * @param chaos    whether relays are killed and the consumer is taken down
 * @param duration how long orders are written; {@code null}: until Ctrl-C
 * @param json     where the report goes to, if anywhere
 */
record DemoConfig(
        String database,
        @Nullable String user,
        @Nullable String password,
        int rate,
        int relays,
        int keys,
        boolean chaos,
        @Nullable Duration duration,
        @Nullable Path json) {

    /** Short, so that what a killed relay owned is seen to move on. */
    static final Duration LEASE = Duration.ofSeconds(3);

    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_RELAYS = 64;
    private static final int MAX_KEYS = 10_000_000;

    DemoConfig {
        range("--rate", rate, MAX_RATE);
        range("--relays", relays, MAX_RELAYS);
        range("--keys", keys, MAX_KEYS);
        if (duration != null && duration.isZero()) {
            throw new IllegalArgumentException("--for must be longer than nothing");
        }
        if (!database.equals("h2") && !database.equals("postgres") && !database.startsWith("jdbc:")) {
            throw new IllegalArgumentException(
                    "--database is '" + database + "'; it must be h2, postgres or a URL that starts with jdbc:");
        }
    }

    /** Without the password, which must not end up in a log by accident. */
    @Override
    public String toString() {
        return "demo on " + database + " at " + rate + "/s with " + relays + " relays and " + keys + " keys";
    }

    private static void range(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " is " + value + "; it must be from 1 to " + Format.count(max));
        }
    }
}
