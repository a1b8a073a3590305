package dev.waybill.server.scenario;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Short statements on short tables. */
final class Sql {

    private Sql() {}

    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** The first column of all rows. */
    static List<String> texts(Connection connection, String sql, Object... values) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    static int number(Connection connection, String sql, Object... values) throws SQLException {
        return Integer.parseInt(texts(connection, sql, values).get(0));
    }

    static List<String> texts(DataSource dataSource, String sql, Object... values) {
        return on(dataSource, connection -> texts(connection, sql, values));
    }

    static int number(DataSource dataSource, String sql, Object... values) {
        return on(dataSource, connection -> number(connection, sql, values));
    }

    static int update(DataSource dataSource, String sql, Object... values) {
        return on(dataSource, connection -> update(connection, sql, values));
    }

    private static <R> R on(DataSource dataSource, Work<R> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.run(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("A statement of the scenario failed: " + e.getMessage(), e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
