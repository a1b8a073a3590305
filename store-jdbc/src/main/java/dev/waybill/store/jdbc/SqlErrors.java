package dev.waybill.store.jdbc;

import dev.waybill.store.StoreException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns what a driver throws into a {@link StoreException} that says what to do and never quotes stored data. */
final class SqlErrors {
    private static final List<String> UNKNOWN_OUTCOMES = List.of("08", "53", "57P", "58", "XX", "40003", "HY", "none");
    private static final Set<String> MISSING_SCHEMA =
            Set.of("42P01", "42703", "3F000", "42S02", "42S03", "42S04", "42S22", "90079");
    private static final Set<String> TIMED_OUT = Set.of("57014", "55P03", "HYT00", "HY008", "70100");
    // MariaDB and MySQL have no SQLState for these: a lock that was not given in time, and MySQL's statement time-out.
    private static final Set<Integer> TIMED_OUT_CODES = Set.of(1205, 3024);

    private static final String NO_RIGHT = "42501";
    private static final int DUPLICATE_KEY = 1062;

    private SqlErrors() {}

    static StoreException translate(String operation, SQLException e) {
        SQLException safe = withoutValues(e);
        return new StoreException(
                "Waybill could not " + operation + ": " + safe.getMessage() + " (SQLState " + state(safe) + ")."
                        + advice(safe),
                safe);
    }

    /** For whoever may only throw an SQLException: a failure to write events, which shows at something else. */
    static SQLException ofPublished(int events, SQLException e) {
        SQLException safe = withoutValues(e);
        return new SQLException(
                "Waybill could not write " + events + " event(s) that were published before this: " + safe.getMessage(),
                safe.getSQLState(),
                safe.getErrorCode(),
                safe);
    }

    private static String advice(SQLException e) {
        String state = state(e);
        if (MISSING_SCHEMA.contains(state)) {
            return " Waybill's tables are missing or older than this version: call JdbcOutboxStore.migrate() once at"
                    + " start (or apply its scripts), and check schema and tablePrefix in JdbcStoreConfig.";
        }
        if (TIMED_OUT.contains(state) || (state.equals("HY000") && TIMED_OUT_CODES.contains(e.getErrorCode()))) {
            return " It waited longer than JdbcStoreConfig.statementTimeout, or the database's lock time-out, allows:"
                    + " look for a transaction that stays open and holds rows of the outbox.";
        }
        if (state.equals(NO_RIGHT)) {
            return " The database user may not do this. The one of a relay must own Waybill's tables, because it makes"
                    + " and drops partitions of the history; or set JdbcStoreConfig.retention to 0.";
        }
        if (state.startsWith("08")) {
            return " The database could not be reached.";
        }
        return "";
    }

    /**
     * Whether a failed commit is rolled back for sure, because of what was done in the transaction: a constraint, a conflict
     * with another one, a trigger. Unknown is what became of it if the connection broke (08), the server had no room
     * (53), was stopped (57P) or is out of order (58, XX), or says so itself (40003).
     */
    static boolean isRefusal(SQLException e) {
        String state = state(e);
        return UNKNOWN_OUTCOMES.stream().noneMatch(state::startsWith);
    }

    /** Whether a row with the same key is there. */
    static boolean isDuplicate(SQLException e) {
        // MariaDB says 23000 for all that is not allowed to be there, and has a number for a key.
        return state(e).equals("23505") || (state(e).equals("23000") && e.getErrorCode() == DUPLICATE_KEY);
    }

    /** SQLState, or "none". */
    static String state(SQLException e) {
        return e.getSQLState() == null ? "none" : e.getSQLState();
    }

    /**
     * Drivers quote the row that violates a constraint and the parameters of a failed batch. Payloads are not for logs,
     * and a cause is printed with its message: so both are replaced.
     */
    private static SQLException withoutValues(SQLException e) {
        SQLException root = e;
        if (e instanceof BatchUpdateException && e.getNextException() != null) {
            root = e.getNextException();
        }
        String state = state(root);
        boolean quotes = e instanceof BatchUpdateException || state.startsWith("22") || state.startsWith("23");
        if (!quotes) {
            return e;
        }
        SQLException copy = new SQLException(firstSentence(root.getMessage()), root.getSQLState(), root.getErrorCode());
        copy.setStackTrace(e.getStackTrace());
        return copy;
    }

    /** PostgreSQL puts values after "Detail:" on a new line, H2 after a colon, MariaDB in single quotes. */
    private static String firstSentence(@Nullable String message) {
        if (message == null) {
            return "no message";
        }
        String line = message.lines().findFirst().orElse("");
        int start = line.startsWith("ERROR: ") ? "ERROR: ".length() : 0;
        int colon = line.indexOf(':', start);
        int duplicate = line.indexOf("Duplicate entry '");
        int end = duplicate < 0 ? colon : duplicate + "Duplicate entry".length();
        return end < 0 ? line : line.substring(0, end);
    }
}
