package dev.waybill.store.jdbc;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a store's tables are, and how long its statements may take. Immutable.
 *
 * <p>Names are used without quotes, so that the database's own rule for upper and lower case applies.
 *
 * @param schema           the schema of the tables; {@code null}: the connection's default
 * @param tablePrefix      what the names of the tables begin with; empty: nothing
 * @param statementTimeout after which the database ends a statement of a relay. Keep it below the relay's lease (10 s
 *                         by default): a statement that hangs holds the lease's row, and nobody could take the shard
 *                         over
 */
public record JdbcStoreConfig(@Nullable String schema, String tablePrefix, Duration statementTimeout) {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final int LONGEST_IDENTIFIER = 63;
    // The longest name that a migration puts behind the prefix; a longer one would be cut, and two could become one.
    private static final String LONGEST_NAME = "dead_letter_waiting";
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

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
        if (statementTimeout.toMillis() < 1 || statementTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("statementTimeout is " + statementTimeout
                    + "; it must be between 1 ms and 1 h, and should be below the relay's lease.");
        }
    }

    public static JdbcStoreConfig defaults() {
        return new JdbcStoreConfig(null, "waybill_", Duration.ofSeconds(5));
    }

    public JdbcStoreConfig withSchema(@Nullable String name) {
        return new JdbcStoreConfig(name, tablePrefix, statementTimeout);
    }

    public JdbcStoreConfig withTablePrefix(String prefix) {
        return new JdbcStoreConfig(schema, prefix, statementTimeout);
    }

    public JdbcStoreConfig withStatementTimeout(Duration timeout) {
        return new JdbcStoreConfig(schema, tablePrefix, timeout);
    }

    private static IllegalArgumentException refused(String field, String value, int longest) {
        String shown = value.length() <= 100 ? value : value.substring(0, 100) + "...";
        return new IllegalArgumentException(field + " \"" + shown + "\" is not allowed; use 1 to " + longest
                + " of A-Z a-z 0-9 _, starting with a letter or _ (quotes and other characters are refused, because the"
                + " name becomes part of SQL).");
    }
}
