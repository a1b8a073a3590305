package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Sees whether a transaction on PostgreSQL can only be rolled back, because somebody swallowed the error of a statement. A commit of
 * it rolls back, and the driver does not tell.
 */
final class PostgresDoom {
    private static final boolean HAS_DRIVER = hasDriver();

    private PostgresDoom() {}

    /** Asks the driver, not the server. Other databases are not asked at all. */
    static boolean isDoomed(Connection connection) throws SQLException {
        return HAS_DRIVER && Driver.isDoomed(connection);
    }

    private static boolean hasDriver() {
        try {
            Class.forName("org.postgresql.core.BaseConnection", false, PostgresDoom.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Loaded only where there is a driver. */
    private static final class Driver {
        static boolean isDoomed(Connection connection) throws SQLException {
            return connection.isWrapperFor(BaseConnection.class)
                    && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        }
    }
}
