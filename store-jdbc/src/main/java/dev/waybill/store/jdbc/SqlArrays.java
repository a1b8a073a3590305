package dev.waybill.store.jdbc;

import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** Binds collections as SQL arrays: one parameter and one statement text, however many elements. */
final class SqlArrays {
    private SqlArrays() {}

    /** Binds an array of a type that the database names so. */
    static void bind(PreparedStatement statement, int parameter, String type, Object[] elements) throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(parameter, connection.createArrayOf(type, elements));
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
