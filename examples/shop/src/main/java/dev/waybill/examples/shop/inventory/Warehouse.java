package dev.waybill.examples.shop.inventory;

import dev.waybill.examples.shop.events.OrderPlaced;
import dev.waybill.examples.shop.events.OutOfStock;
import dev.waybill.examples.shop.events.PaymentDeclined;
import dev.waybill.examples.shop.events.StockReserved;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Sets articles aside for orders. What a handler changes, what it publishes and that it has seen the event are one
 * transaction: after a crash all of it happens again, or nothing has to.
 */
@Component
class Warehouse {
    private static final int RESTOCK = 200;

    private final JdbcClient jdbc;
    private final TypedOutbox outbox;

    Warehouse(JdbcClient jdbc, TypedOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @EventHandler(consumer = "inventory")
    public void on(OrderPlaced order) {
        if (take(order.article(), order.quantity())) {
            note(order, "RESERVED");
            outbox.publish(new StockReserved(order.orderId(), order.customer(), order.amount()));
        } else {
            note(order, "OUT_OF_STOCK");
            outbox.publish(new OutOfStock(order.orderId(), order.customer()));
            add(order.article(), RESTOCK);
        }
    }

    /** What was set aside for an order that is not paid goes back to the shelf. */
    @EventHandler(consumer = "inventory")
    public void on(PaymentDeclined payment) {
        jdbc.sql("SELECT article, quantity FROM reservation WHERE order_id = ?")
                .param(payment.orderId())
                .query((row, number) -> add(row.getString(1), row.getInt(2)))
                .single();
        jdbc.sql("UPDATE reservation SET state = 'RETURNED' WHERE order_id = ?")
                .param(payment.orderId())
                .update();
    }

    private boolean take(String article, int quantity) {
        return jdbc.sql("UPDATE stock SET quantity = quantity - ? WHERE article = ? AND quantity >= ?")
                        .params(quantity, article, quantity)
                        .update()
                == 1;
    }

    private int add(String article, int quantity) {
        return jdbc.sql("UPDATE stock SET quantity = quantity + ? WHERE article = ?")
                .params(quantity, article)
                .update();
    }

    private void note(OrderPlaced order, String state) {
        jdbc.sql("INSERT INTO reservation (order_id, customer, article, quantity, state) VALUES (?, ?, ?, ?, ?)")
                .params(order.orderId(), order.customer(), order.article(), order.quantity(), state)
                .update();
    }
}
