package dev.waybill.server.demo;

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

/** A database of the user, in which only tables with the demo's own prefix are touched. */
final class UserDatabase implements DemoDatabase {
    private static final String PREFIX = "waybill_demo_";

    private final Pools.Target target;

    private UserDatabase(Pools.Target target) {
        this.target = target;
    }

    /** Connects, and removes what an earlier demo may have left. */
    static UserDatabase connect(Pools.Target target) {
        Pools.requireReachable(target);
        UserDatabase database = new UserDatabase(target);
        database.cleanUp();
        return database;
    }

    @Override
    public String description() {
        return target.toString();
    }

    @Override
    public String tablePrefix() {
        return PREFIX;
    }

    @Override
    public String orderTable() {
        return PREFIX + "order";
    }

    @Override
    public HikariDataSource pool(String name, int size) {
        return Pools.open(target, name, size);
    }

    @Override
    public void cleanUp() {
        try (HikariDataSource pool = pool("demo-clean-up", 1);
                Connection connection = pool.getConnection()) {
            for (String table : ownTables(connection)) {
                try (Statement statement = connection.createStatement()) {
                    // A partition may be gone already with its table.
                    statement.execute("DROP TABLE IF EXISTS " + table + " CASCADE");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The demo's tables in " + target + " could not be removed", e);
        }
    }

    private static List<String> ownTables(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String quote = metaData.getIdentifierQuoteString();
        String[] types = {"TABLE", "BASE TABLE", "PARTITIONED TABLE"};
        List<String> tables = new ArrayList<>();
        try (ResultSet found = metaData.getTables(connection.getCatalog(), connection.getSchema(), "%", types)) {
            while (found.next()) {
                String name = found.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
                    tables.add(quote + name + quote);
                }
            }
        }
        return tables;
    }

    @Override
    public void close() {}
}
