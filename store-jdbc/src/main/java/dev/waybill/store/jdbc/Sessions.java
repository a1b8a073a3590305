package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends a connection for one call and gives it back as it came. Thread-safe.
 *
 * <p>The data source may be a pool that others use too: what is changed on a connection (autocommit, isolation, network
 * time-out) is changed back. Limits on the database's side are set by the dialects, within the transaction of the
 * statement, so that they end with it.
 */
final class Sessions {
    private static final Logger log = LoggerFactory.getLogger(Sessions.class);
    // The network may take a little longer than the database, which should be the one that ends a statement.
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(1);

    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<R> {
        R on(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private final int networkTimeoutMillis;
    private final boolean setIsolation;

    /**
     * Sessions of a data source.
     *
     * @param usualIsolation what its connections come with: if it is not READ COMMITTED, every call sets it. Asking
     *                       each connection would cost every call a round trip
     */
    Sessions(DataSource dataSource, Duration statementTimeout, int usualIsolation) {
        this.dataSource = dataSource;
        this.networkTimeoutMillis =
                Math.toIntExact(statementTimeout.plus(NETWORK_MARGIN).toMillis());
        this.setIsolation = usualIsolation != Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Runs autocommit statements, each a transaction of its own. */
    <R> R autocommit(String operation, Work<R> work) {
        return withConnection(operation, true, work);
    }

    /** Runs statements in one transaction. */
    <R> R transaction(String operation, Work<R> work) {
        return withConnection(operation, false, connection -> {
            try {
                R result = work.on(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            }
        });
    }

    private <R> R withConnection(String operation, boolean autocommit, Work<R> work) {
        try (Connection connection = dataSource.getConnection()) {
            Before before = prepare(connection, autocommit);
            R result;
            try {
                result = work.on(connection);
            } catch (SQLException | RuntimeException | Error e) {
                try {
                    restore(connection, before);
                } catch (SQLException | RuntimeException suppressed) {
                    e.addSuppressed(suppressed);
                }
                throw e;
            }
            restoreOrLog(connection, before);
            return result;
        } catch (SQLException e) {
            throw SqlErrors.translate(operation, e);
        }
    }

    private record Before(boolean autocommit, int isolation, int networkTimeout) {}

    private Before prepare(Connection connection, boolean autocommit) throws SQLException {
        int networkTimeout = limitNetwork(connection);
        boolean before = connection.getAutoCommit();
        int isolation = Connection.TRANSACTION_NONE;
        if (setIsolation) {
            isolation = connection.getTransactionIsolation();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        if (before != autocommit) {
            connection.setAutoCommit(autocommit);
        }
        return new Before(before, isolation, networkTimeout);
    }

    /** Without it a relay would wait for ever when the network swallows an answer. Returns what to restore, or -1. */
    private int limitNetwork(Connection connection) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= networkTimeoutMillis) {
                return -1;
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
            return before;
        } catch (SQLFeatureNotSupportedException e) {
            return -1;
        }
    }

    private void restore(Connection connection, Before before) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        if (connection.getAutoCommit() != before.autocommit) {
            connection.setAutoCommit(before.autocommit);
        }
        if (before.isolation != Connection.TRANSACTION_NONE) {
            connection.setTransactionIsolation(before.isolation);
        }
        if (before.networkTimeout >= 0) {
            connection.setNetworkTimeout(Runnable::run, before.networkTimeout);
        }
    }

    /** The work is done and stays done: an error now is the next borrower's, not the caller's. */
    private void restoreOrLog(Connection connection, Before before) {
        try {
            restore(connection, before);
        } catch (SQLException e) {
            log.warn("A connection could not be given back as it came: {}", e.toString());
        }
    }

    private static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
