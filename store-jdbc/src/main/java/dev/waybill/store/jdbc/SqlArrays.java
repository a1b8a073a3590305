package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;

/** Binds collections as SQL arrays: one parameter and one statement text, however many elements. */
final class SqlArrays {
    private SqlArrays() {}

    /** Binds an array of a type that the database names so. */
    static void bind(PreparedStatement statement, int parameter, String type, Object[] elements) throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(parameter, connection.createArrayOf(type, typed(type, elements)));
    }

    /** PostgreSQL's driver writes the elements of an {@code Object[]} as text, which the server has to parse. */
    private static Object[] typed(String type, Object[] elements) {
        return switch (type) {
            case "smallint" -> Arrays.copyOf(elements, elements.length, Short[].class);
            case "int" -> Arrays.copyOf(elements, elements.length, Integer[].class);
            case "bigint" -> Arrays.copyOf(elements, elements.length, Long[].class);
            default -> elements;
        };
    }

    /** Binds shards and epochs as two arrays. */
    static void bindLeases(PreparedStatement statement, int parameter, Collection<Lease> leases) throws SQLException {
        bind(
                statement,
                parameter,
                "smallint",
                leases.stream().map(lease -> (short) lease.shard()).toArray());
        bind(
                statement,
                parameter + 1,
                "bigint",
                leases.stream().map(Lease::epoch).toArray());
    }

    static Object[] shards(Collection<Integer> shards) {
        return shards.stream().map(Integer::shortValue).toArray();
    }
}
