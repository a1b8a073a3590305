package dev.waybill.server.scenario;

import dev.waybill.transport.Delivery;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The consumer that writes a confirmation for every order. Thread-safe. */
final class Mail {
    static final String NAME = "mail";

    private final DataSource dataSource;
    private final String letter;

    Mail(DataSource dataSource, String letter) {
        this.dataSource = dataSource;
        this.letter = letter;
    }

    void createTable() {
        Sql.update(
                dataSource,
                "CREATE TABLE " + letter + " (order_id VARCHAR(40) NOT NULL, customer VARCHAR(40) NOT NULL)");
    }

    /** Without a unique key: a second confirmation is to be seen. */
    void confirm(Connection transaction, Delivery delivery) throws SQLException, IOException {
        Order order = Order.of(delivery.event());
        Sql.update(
                transaction,
                "INSERT INTO " + letter + " (order_id, customer) VALUES (?, ?)",
                order.id(),
                order.customer());
    }

    /** The orders that were confirmed, by their id. */
    List<String> confirmed() {
        return Sql.texts(dataSource, "SELECT order_id FROM " + letter + " ORDER BY order_id");
    }
}
