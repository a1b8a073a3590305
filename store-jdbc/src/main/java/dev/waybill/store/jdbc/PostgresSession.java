package dev.waybill.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What JDBC has no word for: a connection that waits for notifications.
 *
 * <p>By reflection, because the driver is optional: who uses another database has none of its classes.
 */
final class PostgresSession {
    private final Object session;
    private final Method getNotifications;
    private final Method getParameter;

    private PostgresSession(Object session, Method getNotifications, Method getParameter) {
        this.session = session;
        this.getNotifications = getNotifications;
        this.getParameter = getParameter;
    }

    static PostgresSession of(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName("org.postgresql.PGConnection");
            Class<?> notification = Class.forName("org.postgresql.PGNotification");
            return new PostgresSession(
                    connection.unwrap(type),
                    type.getMethod("getNotifications", int.class),
                    notification.getMethod("getParameter"));
        } catch (ReflectiveOperationException e) {
            throw new SQLException(
                    "LISTEN needs the PostgreSQL JDBC driver (org.postgresql:postgresql, 42.2 or later)", e);
        }
    }

    /** What the notifications say that came within the time; none: nothing came. */
    List<String> awaitNotifications(int millis) throws SQLException {
        try {
            Object[] notifications = (Object[]) getNotifications.invoke(session, millis);
            List<String> messages = new ArrayList<>();
            for (Object notification : notifications == null ? new Object[0] : notifications) {
                messages.add(String.valueOf(getParameter.invoke(notification)));
            }
            return messages;
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
