package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** What only PostgreSQL's own driver knows of a connection, whatever pool it comes from. */
final class PostgresDriver {
    private static final boolean HAS_DRIVER = hasDriver();

    private PostgresDriver() {}

    /** Whether this driver makes the connection: it takes several statements at a time, which others need not. */
    static boolean isUsedBy(Connection connection) throws SQLException {
        return HAS_DRIVER && Driver.makes(connection);
    }

    /**
     * Whether a transaction can only be rolled back, because somebody swallowed the error of a statement: a commit of it rolls back,
     * and the driver does not tell. Asks the driver, not the server. Other databases are not asked at all.
     */
    static boolean isDoomed(Connection connection) throws SQLException {
        return HAS_DRIVER && Driver.isDoomed(connection);
    }

    private static boolean hasDriver() {
        try {
            Class.forName("org.postgresql.core.BaseConnection", false, PostgresDriver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Loaded only where there is a driver. */
    private static final class Driver {
        static boolean makes(Connection connection) throws SQLException {
            return connection.isWrapperFor(BaseConnection.class);
        }

        static boolean isDoomed(Connection connection) throws SQLException {
            return makes(connection)
                    && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        }
    }
}
