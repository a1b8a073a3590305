package dev.waybill.store.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A pool of one connection, which stays open: shows how it comes back.
 *
 * @param prepared the statements that were prepared
 */
record OneConnection(Connection connection, List<String> prepared) implements DataSource {

    OneConnection(Connection connection) {
        this(connection, new ArrayList<>());
    }

    static OneConnection of(DataSource dataSource) throws SQLException {
        return new OneConnection(dataSource.getConnection());
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    if (method.getName().equals("prepareStatement")) {
                        prepared.add((String) arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection getConnection(String user, String password) {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
