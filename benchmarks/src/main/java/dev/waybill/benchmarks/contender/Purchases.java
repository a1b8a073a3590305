package dev.waybill.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The business table of every transaction, the same for all contenders. */
public final class Purchases {
    private static final String INSERT = "INSERT INTO purchase (id, customer, cents) VALUES (?, ?, ?)";

    private Purchases() {}

    /** Makes it anew, without rows. The numbers of several runs may meet: its key is its own. */
    public static void install(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String key = product.equals("MariaDB") ? "bigint AUTO_INCREMENT" : "bigint GENERATED ALWAYS AS IDENTITY";
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS purchase");
            statement.execute("CREATE TABLE purchase (row_id " + key + " PRIMARY KEY, id bigint NOT NULL,"
                    + " customer varchar(100) NOT NULL, cents bigint NOT NULL)");
        }
    }

    public static void insert(Connection connection, Purchase purchase) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setLong(1, purchase.id());
            statement.setString(2, purchase.customer());
            statement.setLong(3, purchase.cents());
            statement.executeUpdate();
        }
    }
}
