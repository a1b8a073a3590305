package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Small statements in a row, in words that every database understands. Thread-safe. */
final class SqlSteps {

    /** Reads one row. */
    @FunctionalInterface
    interface Row<R> {
        R read(ResultSet rows) throws SQLException;
    }

    private final SqlFlavour flavour;

    SqlSteps(SqlFlavour flavour) {
        this.flavour = flavour;
    }

    SqlFlavour flavour() {
        return flavour;
    }

    PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                bind(statement, i + 1, parameters[i]);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private void bind(PreparedStatement statement, int parameter, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(parameter, Types.NULL);
        } else if (value instanceof UUID id) {
            flavour.bind(statement, parameter, id);
        } else if (value instanceof Instant time) {
            flavour.bind(statement, parameter, time);
        } else if (value instanceof Enum<?> name) {
            statement.setString(parameter, name.name());
        } else {
            statement.setObject(parameter, value);
        }
    }

    int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    <R> List<R> all(Connection connection, String sql, Row<R> row, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<R> found = new ArrayList<>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return found;
        }
    }

    <R> Optional<R> first(Connection connection, String sql, Row<R> row, @Nullable Object... parameters)
            throws SQLException {
        return all(connection, sql, row, parameters).stream().findFirst();
    }

    /** The first column of the only row. */
    long number(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return all(connection, sql, rows -> rows.getLong(1), parameters).get(0);
    }

    /** The time by the database's clock. */
    Instant now(Connection connection) throws SQLException {
        return all(connection, "SELECT " + flavour.now(), rows -> time(rows, 1)).get(0);
    }

    /** A time that is never null. */
    Instant time(ResultSet rows, int column) throws SQLException {
        return EntryRows.required(flavour.time(rows, column));
    }
}
