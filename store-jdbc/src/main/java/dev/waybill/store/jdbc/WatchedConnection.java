package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection, or a statement of it, on which nothing happens before the {@link WaitingEvents} are written. So whoever uses it
 * sees no difference to events that were written at once: not in the order of statements, not with a savepoint. Used by one thread.
 */
final class WatchedConnection implements InvocationHandler {

    /** The connection of a transaction in which events may wait. */
    interface Patient extends Connection {

        /** As {@link WaitingEvents#add}. */
        boolean postpone(PostgresWriter of, List<Event> events) throws SQLException;
    }

    /** Ask for what the driver knows, or change nothing that matters here. */
    private static final Set<String> HARMLESS =
            Set.of("isClosed", "isReadOnly", "getAutoCommit", "isWrapperFor", "setClientInfo", "toString");

    /** End the transaction without a commit. */
    private static final Set<String> ENDING = Set.of("abort", "close");

    /** Give the connection itself away, or what leads to it; behind a savepoint a failure has to come where it belongs. */
    private static final Set<String> OPEN = Set.of("unwrap", "getMetaData", "setSavepoint");

    private final Object target;
    private final WaitingEvents events;
    /** Of a statement. */
    private final @Nullable Connection connection;

    private WatchedConnection(Object target, WaitingEvents events, @Nullable Connection connection) {
        this.target = target;
        this.events = events;
        this.connection = connection;
    }

    static Connection of(Connection connection, WaitingEvents events) {
        return (Connection) Proxy.newProxyInstance(
                WatchedConnection.class.getClassLoader(),
                new Class<?>[] {Patient.class},
                new WatchedConnection(connection, events, null));
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class && !name.equals("toString")) {
            return name.equals("equals") ? Boolean.valueOf(isSame(self, arguments)) : System.identityHashCode(self);
        }
        return connection == null ? onConnection(self, method, arguments) : onStatement(method, arguments);
    }

    private @Nullable Object onConnection(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Patient.class) {
            return postpone(arguments);
        }
        if (OPEN.contains(name)) {
            events.stopWaiting();
        } else if (ENDING.contains(name) || (name.equals("rollback") && method.getParameterCount() == 0)) {
            events.discard();
        } else if (!HARMLESS.contains(name)) {
            events.write();
        }
        Object result = call(method, arguments);
        return result instanceof Statement statement ? watched(statement, method, (Connection) self) : result;
    }

    private @Nullable Object onStatement(Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("getConnection")) {
            return connection;
        }
        if (OPEN.contains(name)) {
            events.stopWaiting();
        } else if (name.startsWith("execute")) {
            events.write();
        }
        return call(method, arguments);
    }

    private Object watched(Statement statement, Method method, Connection self) {
        return Proxy.newProxyInstance(
                WatchedConnection.class.getClassLoader(),
                new Class<?>[] {kind(method)},
                new WatchedConnection(statement, events, self));
    }

    /** What the caller may rely on: the type that the method promises. */
    private static Class<?> kind(Method method) {
        Class<?> promised = method.getReturnType();
        if (promised == CallableStatement.class || promised == PreparedStatement.class) {
            return promised;
        }
        return Statement.class;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static boolean isSame(Object self, Object @Nullable [] arguments) {
        return arguments != null && self == arguments[0];
    }

    @SuppressWarnings("unchecked")
    private boolean postpone(Object @Nullable [] arguments) throws SQLException {
        return arguments != null && events.add((PostgresWriter) arguments[0], (List<Event>) arguments[1]);
    }
}
