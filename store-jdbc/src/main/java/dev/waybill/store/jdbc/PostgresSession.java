package dev.waybill.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What JDBC has no word for: a connection that waits for notifications.
 *
 * <p>By reflection, because the driver is optional: who uses another database has none of its classes.
 */
final class PostgresSession {
    private final Object session;
    private final Method getNotifications;

    private PostgresSession(Object session, Method getNotifications) {
        this.session = session;
        this.getNotifications = getNotifications;
    }

    static PostgresSession of(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName("org.postgresql.PGConnection");
            return new PostgresSession(connection.unwrap(type), type.getMethod("getNotifications", int.class));
        } catch (ReflectiveOperationException e) {
            throw new SQLException(
                    "LISTEN needs the PostgreSQL JDBC driver (org.postgresql:postgresql, 42.2 or later)", e);
        }
    }

    /** Whether a notification came within the time. */
    boolean awaitNotification(int millis) throws SQLException {
        try {
            Object[] notifications = (Object[]) getNotifications.invoke(session, millis);
            return notifications != null && notifications.length > 0;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new SQLException("Waiting for notifications failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new SQLException("Waiting for notifications is not allowed", e);
        }
    }
}
