package dev.waybill.examples.shop.demo;

import dev.waybill.server.database.DatabaseChoice;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for. Immutable.
 *
 * @param database    {@code h2}, {@code postgres}, {@code mariadb} or a JDBC URL
 * @param transport   {@code in-process} or {@code kafka}
 * @param brokers     brokers of the user; {@code null}: one in this JVM
 * @param rate        orders committed per second
 * @param relays      how many relays share the work of each service
 * @param keys        how many customers, whose orders are delivered in order
 * @param chaos       whether relays are killed, and services or the broker taken down
 * @param faults      whether payments fail
 * @param duration    how long orders are written; {@code null}: until Ctrl-C
 * @param retention   how long deliveries are kept in the history
 * @param metricsPort where the meters are served; {@code null}: the usual port, or any other if it is taken; -1: nowhere
 * @param json        where the report goes to, if anywhere
 */
record DemoConfig(
        String database,
        @Nullable String user,
        @Nullable String password,
        String transport,
        @Nullable String brokers,
        int rate,
        int relays,
        int keys,
        boolean chaos,
        boolean faults,
        @Nullable Duration duration,
        Duration retention,
        @Nullable Integer metricsPort,
        @Nullable Path json) {

    /** Short, so that what a killed relay owned is seen to move on. */
    static final Duration LEASE = Duration.ofSeconds(3);

    static final String IN_PROCESS = "in-process";
    static final String KAFKA = "kafka";
    static final String TABLE_PREFIX = "waybill_demo_";
    static final int NO_METRICS = -1;

    private static final Duration LONGEST_RETENTION = Duration.ofDays(365);
    private static final int MAX_PORT = 65_535;
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
        if (retention.compareTo(LONGEST_RETENTION) > 0) {
            throw new IllegalArgumentException("--retention is " + Format.span(retention) + "; it must be at most "
                    + Format.span(LONGEST_RETENTION));
        }
        DatabaseChoice.requireKnown(database);
        if (!transport.equals(IN_PROCESS) && !transport.equals(KAFKA)) {
            throw new IllegalArgumentException(
                    "--transport is '" + transport + "'; it must be " + IN_PROCESS + " or " + KAFKA);
        }
        if (brokers != null && !transport.equals(KAFKA)) {
            throw new IllegalArgumentException("--brokers is for --transport kafka");
        }
        if (metricsPort != null && (metricsPort < NO_METRICS || metricsPort > MAX_PORT)) {
            throw new IllegalArgumentException(
                    "--metrics-port is " + metricsPort + "; it must be from 0 (any) to " + MAX_PORT);
        }
    }

    DatabaseChoice databaseChoice() {
        return new DatabaseChoice(database, user, password);
    }

    /** Without the password, which must not end up in a log by accident. */
    @Override
    public String toString() {
        return "demo on " + database + " through " + transport + " at " + rate + "/s with " + relays + " relays and "
                + keys + " keys";
    }

    private static void range(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " is " + value + "; it must be from 1 to " + Format.count(max));
        }
    }
}
