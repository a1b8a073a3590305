package dev.waybill.store.jdbc;

import dev.waybill.OneLine;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a store's tables are, how long its statements may take, and what is kept. Immutable.
 *
 * <p>Names are used without quotes, so that the database's own rule for upper and lower case applies.
 *
 * @param schema           the schema of the tables; {@code null}: the connection's default
 * @param tablePrefix      what the names of the tables begin with; empty: nothing
 * @param statementTimeout after which the database ends a statement of a relay. Keep it below the relay's lease (10 s
 *                         by default): a statement that hangs holds the lease's row, and nobody could take the shard
 *                         over. The same for all processes: a replay waits so long for what they settle
 * @param retention        how long deliveries are kept in the history, at least; zero: not at all. On PostgreSQL whole
 *                         days are removed at a time
 * @param compressAbove    payloads of more bytes are stored deflated, if that makes them smaller; 0: never. Whoever
 *                         reads understands both
 * @param decidedRetention how long discarded and resolved dead letters stay visible
 * @param inboxRetention   how long consumers remember an event after it took effect. Longer than it may be delivered
 *                         again, or it takes effect twice
 * @param maxReplays       how often a dead letter may be tried again before it has to be corrected or discarded
 */
public record JdbcStoreConfig(
        @Nullable String schema,
        String tablePrefix,
        Duration statementTimeout,
        Duration retention,
        int compressAbove,
        Duration decidedRetention,
        Duration inboxRetention,
        int maxReplays) {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final int LONGEST_IDENTIFIER = 63;
    // The longest name that a migration puts behind the prefix; a longer one would be cut, and two could become one.
    private static final String LONGEST_NAME = "dead_letter_waiting";
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);

    public JdbcStoreConfig {
        if (schema != null && !IDENTIFIER.matcher(schema).matches()) {
            throw refused("schema", schema, LONGEST_IDENTIFIER);
        }
        int longestPrefix = LONGEST_IDENTIFIER - LONGEST_NAME.length();
        boolean fits = tablePrefix.isEmpty()
                || (IDENTIFIER.matcher(tablePrefix).matches() && tablePrefix.length() <= longestPrefix);
        if (!fits) {
            throw refused("tablePrefix", tablePrefix, longestPrefix);
        }
        if (statementTimeout.compareTo(SHORTEST_TIMEOUT) < 0 || statementTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("statementTimeout is " + statementTimeout
                    + "; it must be between 1 ms and 1 h, and should be below the relay's lease.");
        }
        requireRetention("retention", retention);
        requireRetention("decidedRetention", decidedRetention);
        requireRetention("inboxRetention", inboxRetention);
        if (compressAbove < 0) {
            throw new IllegalArgumentException(
                    "compressAbove is " + compressAbove + "; it is a number of bytes, or 0 for no compression.");
        }
        if (maxReplays < 0) {
            throw new IllegalArgumentException(
                    "maxReplays is " + maxReplays + "; it must be 0 (dead letters are never tried again) or more.");
        }
    }

    public static JdbcStoreConfig defaults() {
        return new JdbcStoreConfig(
                null,
                "waybill_",
                Duration.ofSeconds(5),
                Duration.ofHours(24),
                0,
                Duration.ofDays(7),
                Duration.ofDays(8),
                3);
    }

    /**
     * The defaults of a store for what consumers put aside: tables of its own, because the relays of an outbox have no
     * handlers for them, and no history, because the producer has one.
     */
    public static JdbcStoreConfig siding() {
        return defaults().withTablePrefix("waybill_inbox_").withRetention(Duration.ZERO);
    }

    public JdbcStoreConfig withSchema(@Nullable String name) {
        return new JdbcStoreConfig(
                name,
                tablePrefix,
                statementTimeout,
                retention,
                compressAbove,
                decidedRetention,
                inboxRetention,
                maxReplays);
    }

    public JdbcStoreConfig withTablePrefix(String prefix) {
        return new JdbcStoreConfig(
                schema,
                prefix,
                statementTimeout,
                retention,
                compressAbove,
                decidedRetention,
                inboxRetention,
                maxReplays);
    }

    public JdbcStoreConfig withStatementTimeout(Duration timeout) {
        return new JdbcStoreConfig(
                schema, tablePrefix, timeout, retention, compressAbove, decidedRetention, inboxRetention, maxReplays);
    }

    public JdbcStoreConfig withRetention(Duration time) {
        return new JdbcStoreConfig(
                schema,
                tablePrefix,
                statementTimeout,
                time,
                compressAbove,
                decidedRetention,
                inboxRetention,
                maxReplays);
    }

    public JdbcStoreConfig withCompressAbove(int bytes) {
        return new JdbcStoreConfig(
                schema, tablePrefix, statementTimeout, retention, bytes, decidedRetention, inboxRetention, maxReplays);
    }

    public JdbcStoreConfig withDecidedRetention(Duration time) {
        return new JdbcStoreConfig(
                schema, tablePrefix, statementTimeout, retention, compressAbove, time, inboxRetention, maxReplays);
    }

    public JdbcStoreConfig withInboxRetention(Duration time) {
        return new JdbcStoreConfig(
                schema, tablePrefix, statementTimeout, retention, compressAbove, decidedRetention, time, maxReplays);
    }

    public JdbcStoreConfig withMaxReplays(int times) {
        return new JdbcStoreConfig(
                schema,
                tablePrefix,
                statementTimeout,
                retention,
                compressAbove,
                decidedRetention,
                inboxRetention,
                times);
    }

    private static void requireRetention(String field, Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST_RETENTION) > 0) {
            throw new IllegalArgumentException(field + " is " + time + "; it must be between 0 and 3,650 days.");
        }
    }

    private static IllegalArgumentException refused(String field, String value, int longest) {
        String shown = value.length() <= 100 ? value : value.substring(0, 100) + "...";
        return new IllegalArgumentException(field + " \"" + OneLine.of(shown) + "\" is not allowed; use 1 to " + longest
                + " of A-Z a-z 0-9 _, starting with a letter or _ (quotes and other characters are refused, because the"
                + " name becomes part of SQL).");
    }
}
