package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions for work of the application, on connections of its own pool, which get them back as they came. Thread-safe.
 */
final class OwnTransactions {
    private static final Logger log = LoggerFactory.getLogger(OwnTransactions.class);

    /** Leaves the isolation as it is. */
    static final int ANY_ISOLATION = Connection.TRANSACTION_NONE;

    /** What is done within a transaction. */
    @FunctionalInterface
    interface Work<R, X extends Exception> {
        R run(Connection connection) throws X;
    }

    /** One transaction, from its begin to its commit. */
    interface Course {

        /** What the work gets. */
        Connection connection();

        /**
         * Commits.
         *
         * @param begunHere whether the transaction began with the work; else it is that of whoever gave the connection
         */
        void commit(boolean begunHere) throws SQLException;
    }

    /** Statement by statement. */
    record Straight(Connection connection) implements Course {

        @Override
        public void commit(boolean begunHere) throws SQLException {
            connection.commit();
        }
    }

    private final DataSource dataSource;
    private final int isolation;
    // What connections come with; asked once, because asking each of them would cost a round trip.
    private volatile int usualIsolation = ANY_ISOLATION;

    /**
     * Transactions on connections of a data source.
     *
     * @param isolation of the transactions, or {@link #ANY_ISOLATION}
     */
    OwnTransactions(DataSource dataSource, int isolation) {
        this.dataSource = dataSource;
        this.isolation = isolation;
    }

    /** How a connection was before. */
    private record Before(boolean autocommit, int isolation) {

        void restore(Connection connection) throws SQLException {
            if (autocommit) {
                connection.setAutoCommit(true);
            }
            if (isolation != ANY_ISOLATION) {
                connection.setTransactionIsolation(isolation);
            }
        }
    }

    /**
     * Commits when the work returns, rolls back when it throws anything.
     *
     * @throws SQLException if the database refused the commit because of what the work did: it is rolled back for sure
     * @throws dev.waybill.store.StoreException if the transaction could not begin, or its commit failed: then the outcome
     *     is unknown
     * @throws X what the work throws, unchanged
     */
    <R, X extends Exception> R run(Work<R, X> work) throws SQLException, X {
        return run(Straight::new, work);
    }

    /** The same, on a course of its own. */
    <R, X extends Exception> R run(Function<Connection, Course> courses, Work<R, X> work) throws SQLException, X {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            throw SqlErrors.translate("open a connection for a transaction", e);
        }
        Before before = new Before(false, ANY_ISOLATION);
        try {
            before = begin(connection);
            Course course = courses.apply(connection);
            R result = work.run(course.connection());
            commit(connection, course, before.autocommit());
            giveBack(connection, before);
            return result;
        } catch (Throwable e) {
            abandon(connection, before, e);
            throw e;
        }
    }

    private Before begin(Connection connection) {
        try {
            boolean autocommit = connection.getAutoCommit();
            int before = setIsolation(connection);
            if (autocommit) {
                connection.setAutoCommit(false);
            }
            return new Before(autocommit, before);
        } catch (SQLException e) {
            throw SqlErrors.translate("begin a transaction", e);
        }
    }

    /** Before the transaction, because within one it may not be changed. Answers what to restore. */
    private int setIsolation(Connection connection) throws SQLException {
        if (isolation == ANY_ISOLATION) {
            return ANY_ISOLATION;
        }
        if (usualIsolation == ANY_ISOLATION) {
            usualIsolation = connection.getTransactionIsolation();
        }
        if (usualIsolation == isolation) {
            return ANY_ISOLATION;
        }
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(isolation);
        return before;
    }

    private static void commit(Connection connection, Course course, boolean begunHere) throws SQLException {
        try {
            if (PostgresDriver.isDoomed(connection)) {
                throw new SQLException(
                        "The transaction can only be rolled back, because an error of one of its statements was swallowed."
                                + " Let it out, or use a savepoint",
                        "25P02");
            }
            course.commit(begunHere);
        } catch (SQLException e) {
            if (SqlErrors.isRefusal(e)) {
                throw e;
            }
            throw SqlErrors.translate("commit a transaction", e);
        }
    }

    /** The transaction is committed: what fails now must not look as if it was not. */
    private static void giveBack(Connection connection, Before before) {
        try (connection) {
            before.restore(connection);
        } catch (SQLException | RuntimeException e) {
            log.warn("A connection could not be given back after its commit: {}", e.toString());
        }
    }

    private static void abandon(Connection connection, Before before, Throwable cause) {
        // Not in a try with resources, which would close the connection before it is aborted.
        try {
            connection.rollback();
            before.restore(connection);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            abort(connection, cause);
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** Switching autocommit on, as a pool may do, would commit what could not be rolled back. */
    private static void abort(Connection connection, Throwable cause) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
