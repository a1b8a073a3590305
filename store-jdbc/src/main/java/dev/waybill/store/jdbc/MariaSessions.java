package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and short transactions, with limits on the server. Thread-safe.
 *
 * <p>A frozen relay cannot cancel what it began, and a transaction that it left open would hold its lease rows: so the
 * server ends both statements and idle transactions. One statement sets what a transaction needs and keeps what was
 * there in variables of the session, another one puts it back: two round trips, whatever the connection came with.
 */
final class MariaSessions {
    private static final int DEADLOCK = 1213;
    private static final int TRIES = 3;

    private static final Logger log = LoggerFactory.getLogger(MariaSessions.class);

    private final Sessions sessions;
    private final MariaProduct product;
    private final Duration timeout;
    private final String begin;
    private final String beginSnapshot;
    private final String restore;

    MariaSessions(Sessions sessions, MariaProduct product, Duration timeout) {
        this.sessions = sessions;
        this.product = product;
        this.timeout = timeout;
        // READ COMMITTED: with REPEATABLE READ, InnoDB locks gaps, and writers would wait for the relay.
        begin = begin(product, "READ-COMMITTED", timeout);
        beginSnapshot = begin(product, "REPEATABLE-READ", timeout);
        restore = """
                SET SESSION autocommit = 1, SESSION %1$s = @waybill_isolation, SESSION %2$s = @waybill_idle,
                    SESSION %3$s = @waybill_limit, SESSION innodb_lock_wait_timeout = @waybill_lock_wait
                """.formatted(product.isolation(), product.idleLimit(), product.statementLimit());
    }

    private static String begin(MariaProduct product, String isolation, Duration timeout) {
        long seconds = Math.max(1, timeout.plusMillis(999).toSeconds());
        return """
                SET @waybill_isolation = @@SESSION.%1$s, @waybill_idle = @@SESSION.%2$s, @waybill_limit = @@SESSION.%3$s,
                    @waybill_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION %1$s = '%6$s',
                    SESSION %2$s = %5$d, SESSION %4$s, SESSION innodb_lock_wait_timeout = %5$d, SESSION autocommit = 0
                """.formatted(
                        product.isolation(),
                        product.idleLimit(),
                        product.statementLimit(),
                        product.limitStatements(timeout),
                        seconds,
                        isolation);
    }

    /** Runs autocommit statements that lock nothing, or nothing longer than they run. */
    <R> R read(String operation, Sessions.Work<R> work) {
        return sessions.autocommit(operation, work);
    }

    /** Prepares a read that the server ends when it takes too long. */
    PreparedStatement prepareRead(Connection connection, String select) throws SQLException {
        return connection.prepareStatement(product.limited(select, timeout));
    }

    /** Runs statements in one READ COMMITTED transaction. */
    <R> R transaction(String operation, Sessions.Work<R> work) {
        return run(operation, work, begin);
    }

    /** Runs statements that read, all as of one moment. */
    <R> R snapshot(String operation, Sessions.Work<R> work) {
        return run(operation, work, beginSnapshot, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    }

    /** The victim of a deadlock is rolled back for sure: it begins anew, as if it came a little later. */
    private <R> R run(String operation, Sessions.Work<R> work, String... beginning) {
        return sessions.autocommit(operation, connection -> {
            for (int attempt = 1; attempt < TRIES; attempt++) {
                try {
                    return once(connection, work, beginning);
                } catch (SQLException e) {
                    if (e.getErrorCode() != DEADLOCK) {
                        throw e;
                    }
                    log.debug("{} was the victim of a deadlock and begins anew", operation);
                }
            }
            return once(connection, work, beginning);
        });
    }

    private <R> R once(Connection connection, Sessions.Work<R> work, String... beginning) throws SQLException {
        R result;
        try {
            for (String sql : beginning) {
                execute(connection, sql);
            }
            result = work.on(connection);
            execute(connection, "COMMIT");
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, e);
            throw e;
        }
        restoreOrAbort(connection);
        return result;
    }

    private void undo(Connection connection, Throwable cause) {
        try {
            execute(connection, "ROLLBACK");
            execute(connection, restore);
        } catch (SQLException e) {
            cause.addSuppressed(e);
            abort(connection);
        }
    }

    /** The work is committed, whatever fails now; but nobody may get a connection with these settings. */
    private void restoreOrAbort(Connection connection) {
        try {
            execute(connection, restore);
        } catch (SQLException e) {
            log.warn("A connection could not be given back as it came, and is closed: {}", e.toString());
            abort(connection);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("A connection could not be aborted", e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
