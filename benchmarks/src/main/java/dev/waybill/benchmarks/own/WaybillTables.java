package dev.waybill.benchmarks.own;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Waybill's tables in a database of the benchmark's own, found by their names. */
final class WaybillTables {
    private static final List<String> PREFIXES = List.of("waybill_", WaybillBacklog.TEMPLATE);
    private static final Set<String> KINDS = Set.of("TABLE", "BASE TABLE", "PARTITIONED TABLE");

    private WaybillTables() {}

    /** Drops them all. */
    static void drop(Connection connection) throws SQLException {
        boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        try (Statement statement = connection.createStatement()) {
            for (String table : names(connection)) {
                statement.execute("DROP TABLE IF EXISTS " + table + (postgres ? " CASCADE" : ""));
            }
        }
    }

    private static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet tables =
                connection.getMetaData().getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME");
                if (KINDS.contains(String.valueOf(tables.getString("TABLE_TYPE")))
                        && PREFIXES.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** The columns of a table that an INSERT may name and that are not numbered by the database. */
    static List<String> columns(Connection connection, String table) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        List<String> names = new ArrayList<>();
        try (ResultSet columns = metaData.getColumns(connection.getCatalog(), connection.getSchema(), table, "%")) {
            while (columns.next()) {
                if (!columns.getString("IS_GENERATEDCOLUMN").equals("YES")
                        && !columns.getString("COLUMN_NAME").equals("seq")) {
                    names.add(columns.getString("COLUMN_NAME"));
                }
            }
        }
        return names;
    }
}
