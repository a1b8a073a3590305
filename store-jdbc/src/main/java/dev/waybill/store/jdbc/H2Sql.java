package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Small statements in a row, which is how H2 works: it has neither data-modifying CTEs nor lateral joins. */
final class H2Sql {
    private H2Sql() {}

    static PreparedStatement prepare(Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /** The first column of all rows. */
    static List<Long> numbers(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }

    /** The first column of the only row. */
    static long number(Connection connection, String sql, Object... parameters) throws SQLException {
        return numbers(connection, sql, parameters).get(0);
    }

    /**
     * Reads all tables as they are at one moment. What H2 calls repeatable is not that: it looks at each table when a statement
     * first needs it, and so shows entries of a later moment than their lease.
     */
    static <R> R snapshot(Connection transaction, Sessions.Work<R> reading) throws SQLException {
        int before = transaction.getTransactionIsolation();
        transaction.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        try {
            return reading.on(transaction);
        } finally {
            transaction.setTransactionIsolation(before);
        }
    }
}
