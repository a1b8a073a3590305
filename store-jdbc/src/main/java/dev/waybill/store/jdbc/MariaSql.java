package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Pieces of SQL that hold numbers of ours as they are, and short words for statements. */
final class MariaSql {
    /** Until an entry is due, by the database's clock. */
    static final String DUE_IN =
            "CASE WHEN due_at IS NULL THEN 0 ELSE TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), due_at) END";

    static final String ENTRY = EntryRows.COLUMNS + ", " + DUE_IN;

    private static final int LONGEST_LIST = 500;

    private MariaSql() {}

    /** Where an entry is. */
    record Place(int shard, long sequence) {}

    /** A condition on the primary key of the outbox or of dead letters, in its order, for one place or more. */
    static String at(Collection<Place> places) {
        return isOneOf(places.stream().map(Place::sequence).sorted().toList());
    }

    /**
     * The same for sequences in their order.
     *
     * <p>Not one list: MariaDB makes a temporary table of one with a thousand numbers, and looks up and sorts from there.
     */
    static String isOneOf(List<Long> sequences) {
        List<String> lists = new ArrayList<>();
        for (int from = 0; from < sequences.size(); from += LONGEST_LIST) {
            List<Long> some = sequences.subList(from, Math.min(sequences.size(), from + LONGEST_LIST));
            lists.add("seq IN (" + numbers(some) + ")");
        }
        return "(" + String.join(" OR ", lists) + ")";
    }

    static String numbers(Collection<? extends Number> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /**
     * A union of selects in parentheses, as a statement that begins with SELECT. At the top of a statement it needs no
     * temporary table.
     */
    static String union(int columns, List<String> selects) {
        String none = "SELECT NULL" + ", NULL".repeat(columns - 1) + " FROM DUAL WHERE 1 = 0";
        return none + " UNION ALL " + String.join(" UNION ALL ", selects);
    }

    /** Parameters are strings, numbers and UUIDs. */
    static PreparedStatement prepare(Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                Object parameter = parameters[i];
                statement.setObject(i + 1, parameter instanceof UUID ? parameter.toString() : parameter);
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

    /** Rows of shard and sequence. */
    static List<Place> places(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<Place> places = new ArrayList<>();
            while (rows.next()) {
                places.add(new Place(rows.getInt(1), rows.getLong(2)));
            }
            return places;
        }
    }
}
