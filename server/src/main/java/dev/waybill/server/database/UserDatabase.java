package dev.waybill.server.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.server.cli.Pools;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A database of the user, in which only tables and schemas with a prefix of ours are touched. */
record UserDatabase(Pools.Target target, String prefix) implements ScratchDatabase {

    /** Connects, and removes what an earlier run may have left. */
    static UserDatabase connect(Pools.Target target, String prefix) {
        Pools.requireReachable(target);
        UserDatabase database = new UserDatabase(target, prefix);
        database.cleanUp();
        return database;
    }

    @Override
    public String description() {
        return target.toString();
    }

    @Override
    public String tablePrefix() {
        return prefix;
    }

    @Override
    public String table(String name) {
        return prefix + name;
    }

    @Override
    public void cleanUp() {
        try (HikariDataSource pool = pool("waybill-clean-up", 1);
                Connection connection = pool.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                for (String table : ownTables(connection)) {
                    // A partition may be gone already with its table.
                    statement.execute("DROP TABLE IF EXISTS " + table + " CASCADE");
                }
                Schemas.drop(statement, prefix);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The tables and schemas " + prefix + "... in " + target + " could not be removed", e);
        }
    }

    private List<String> ownTables(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String quote = metaData.getIdentifierQuoteString();
        String[] types = {"TABLE", "BASE TABLE", "PARTITIONED TABLE"};
        List<String> tables = new ArrayList<>();
        try (ResultSet found = metaData.getTables(connection.getCatalog(), connection.getSchema(), "%", types)) {
            while (found.next()) {
                String name = found.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    tables.add(quote + name + quote);
                }
            }
        }
        return tables;
    }

    @Override
    public void close() {}
}
