package dev.waybill.server.demo;

import dev.waybill.testkit.check.Verdict;
import dev.waybill.transport.Delivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What the orders came to in the consumer's database, and whether that is as it should be. Thread-safe.
 *
 * <p>Nothing in the table keeps an order from taking effect twice: that is for the inbox to do, and for this to find out.
 */
final class Effects {
    private static final int EXAMPLES = 5;

    private final DataSource dataSource;
    private final String effects;
    private final String orders;

    Effects(DataSource dataSource, String effectTable, String orderTable) {
        this.dataSource = dataSource;
        effects = effectTable;
        orders = orderTable;
    }

    void createTable() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + effects
                    + " (customer VARCHAR(40) NOT NULL, place INT NOT NULL, order_id VARCHAR(36) NOT NULL,"
                    + " sequence BIGINT NOT NULL, PRIMARY KEY (customer, place))");
            statement.execute("CREATE INDEX " + effects + "_order ON " + effects + " (order_id)");
        }
    }

    /** Adds an effect within the inbox's transaction, behind those of the same customer. */
    void add(Connection transaction, Delivery delivery) throws SQLException {
        String customer = String.valueOf(delivery.event().key());
        int place = 1;
        try (PreparedStatement last =
                transaction.prepareStatement("SELECT MAX(place) FROM " + effects + " WHERE customer = ?")) {
            last.setString(1, customer);
            try (ResultSet row = last.executeQuery()) {
                row.next();
                place += row.getInt(1);
            }
        }
        try (PreparedStatement insert = transaction.prepareStatement(
                "INSERT INTO " + effects + " (customer, place, order_id, sequence) VALUES (?, ?, ?, ?)")) {
            insert.setString(1, customer);
            insert.setInt(2, place);
            insert.setString(3, delivery.event().id().toString());
            insert.setLong(4, delivery.sequence());
            insert.executeUpdate();
        }
    }

    /** Whether there are as many effects as orders, or more. */
    boolean areComplete() {
        return number("SELECT COUNT(*) FROM " + effects) >= number("SELECT COUNT(*) FROM " + orders);
    }

    /**
     * Judges by the tables alone: every order exactly once, and for each customer in the order of the outbox, which is that
     * of publishing because no two transactions of a customer overlap.
     */
    Verdict verdict(long rolledBack, long undecided) {
        String missing =
                " FROM " + orders + " o WHERE NOT EXISTS (SELECT 1 FROM " + effects + " e WHERE e.order_id = o.id)";
        String ghosts =
                " FROM " + effects + " e WHERE NOT EXISTS (SELECT 1 FROM " + orders + " o WHERE o.id = e.order_id)";
        String overtaken = " FROM " + effects + " e JOIN " + effects
                + " n ON n.customer = e.customer AND n.place = e.place + 1 WHERE n.sequence < e.sequence";
        long distinct = number("SELECT COUNT(DISTINCT order_id) FROM " + effects);
        List<String> examples = new ArrayList<>();
        examples(examples, "SELECT o.id" + missing, "never took effect");
        examples(examples, "SELECT e.order_id" + ghosts, "was rolled back, and took effect");
        examples(examples, "SELECT e.order_id" + overtaken, "took effect before an earlier one of its customer");
        examples(
                examples,
                "SELECT order_id FROM " + effects + " GROUP BY order_id HAVING COUNT(*) > 1",
                "took effect more than once");
        long ghostly = number("SELECT COUNT(*)" + ghosts);
        return new Verdict(
                number("SELECT COUNT(*) FROM " + orders),
                rolledBack,
                0,
                undecided,
                distinct - ghostly,
                number("SELECT COUNT(*) FROM " + effects) - distinct,
                0,
                number("SELECT COUNT(*)" + missing),
                ghostly,
                number("SELECT COUNT(*)" + overtaken),
                examples);
    }

    private void examples(List<String> examples, String sql, String what) {
        query(sql, rows -> {
            for (int i = 0; i < EXAMPLES && rows.next(); i++) {
                examples.add("Order " + rows.getString(1) + " " + what + ".");
            }
            return examples;
        });
    }

    private long number(String sql) {
        return query(sql, row -> {
            row.next();
            return row.getLong(1);
        });
    }

    private <T> T query(String sql, Reader<T> reader) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return reader.read(rows);
        } catch (SQLException e) {
            throw new IllegalStateException("The effects could not be read: " + e.getMessage(), e);
        }
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }
}
