package dev.waybill.server.database;

import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.UsageException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Schemas of one run: MariaDB calls them databases. */
final class Schemas {
    private Schemas() {}

    static Pools.Target create(Pools.Target target, String name) {
        try (Connection connection = Pools.connect(target);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        } catch (SQLException e) {
            throw new UsageException(
                    "the schema " + name + " could not be made in " + target + ": " + e.getMessage(), e);
        }
        return new Pools.Target(within(target.url(), name), target.user(), target.password());
    }

    /** Drops all whose name begins so. */
    static void drop(Statement statement, String prefix) throws SQLException {
        DatabaseMetaData metaData = statement.getConnection().getMetaData();
        boolean schemas = metaData.supportsSchemasInTableDefinitions();
        String quote = metaData.getIdentifierQuoteString();
        List<String> found = new ArrayList<>();
        try (ResultSet rows = schemas ? metaData.getSchemas() : metaData.getCatalogs()) {
            while (rows.next()) {
                if (rows.getString(1).toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    found.add(quote + rows.getString(1) + quote);
                }
            }
        }
        for (String name : found) {
            statement.execute("DROP SCHEMA " + name + (schemas ? " CASCADE" : ""));
        }
    }

    /** The URL whose connections are in the schema, whatever schema it named before. */
    static String within(String url, String schema) {
        if (url.startsWith("jdbc:h2:")) {
            return url.replaceAll("(?i);SCHEMA=[^;]*", "") + ";SCHEMA=" + schema;
        }
        if (url.startsWith("jdbc:postgresql:")) {
            String other = url.replaceAll("currentSchema=[^&]*&?", "");
            return other + (other.contains("?") ? "&" : "?") + "currentSchema=" + schema;
        }
        return url.replaceFirst("^(jdbc:[^/]*//[^/?]*)(/[^?]*)?", "$1/" + schema);
    }
}
