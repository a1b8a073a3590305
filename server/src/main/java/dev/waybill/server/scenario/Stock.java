package dev.waybill.server.scenario;

import dev.waybill.transport.Delivery;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The consumer that reserves what was ordered: its shelf and its reservations. Thread-safe. */
final class Stock {
    static final String NAME = "stock";

    private final DataSource dataSource;
    private final String shelf;
    private final String reservation;

    Stock(DataSource dataSource, String shelf, String reservation) {
        this.dataSource = dataSource;
        this.shelf = shelf;
        this.reservation = reservation;
    }

    void createTables() {
        Sql.update(dataSource, "CREATE TABLE " + shelf + " (article VARCHAR(40) PRIMARY KEY, available INT NOT NULL)");
        Sql.update(
                dataSource,
                "CREATE TABLE " + reservation + " (customer VARCHAR(40), place INT, order_id VARCHAR(40) NOT NULL,"
                        + " PRIMARY KEY (customer, place))");
    }

    /** Reserves in the transaction of the inbox, in which the event counts as handled. */
    void reserve(Connection transaction, Delivery delivery) throws SQLException, IOException, OutOfStockException {
        Order order = Order.of(delivery.event());
        int taken = Sql.update(
                transaction,
                "UPDATE " + shelf + " SET available = available - ? WHERE article = ? AND available >= ?",
                order.quantity(),
                order.article(),
                order.quantity());
        if (taken == 0) {
            throw new OutOfStockException(
                    order,
                    Sql.number(transaction, "SELECT available FROM " + shelf + " WHERE article = ?", order.article()));
        }
        int place = Sql.number(
                transaction,
                "SELECT COALESCE(MAX(place), 0) + 1 FROM " + reservation + " WHERE customer = ?",
                order.customer());
        Sql.update(
                transaction,
                "INSERT INTO " + reservation + " (customer, place, order_id) VALUES (?, ?, ?)",
                order.customer(),
                place,
                order.id());
    }

    void put(String article, int quantity) {
        Sql.update(dataSource, "INSERT INTO " + shelf + " (article, available) VALUES (?, ?)", article, quantity);
    }

    void restock(String article, int quantity) {
        Sql.update(
                dataSource, "UPDATE " + shelf + " SET available = available + ? WHERE article = ?", quantity, article);
    }

    int available(String article) {
        return Sql.number(dataSource, "SELECT available FROM " + shelf + " WHERE article = ?", article);
    }

    /** The orders of a customer, in the order in which they took effect. */
    List<String> reservations(String customer) {
        return Sql.texts(
                dataSource, "SELECT order_id FROM " + reservation + " WHERE customer = ? ORDER BY place", customer);
    }

    int reservations() {
        return Sql.number(dataSource, "SELECT COUNT(*) FROM " + reservation);
    }
}
