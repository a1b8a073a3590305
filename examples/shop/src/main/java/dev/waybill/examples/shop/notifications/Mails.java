package dev.waybill.examples.shop.notifications;

import dev.waybill.examples.shop.events.OrderPlaced;
import dev.waybill.examples.shop.events.OutOfStock;
import dev.waybill.examples.shop.events.PaymentDeclined;
import dev.waybill.examples.shop.events.PaymentTaken;
import dev.waybill.spring.EventHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Notes a mail for all that a customer wants to know. */
@Component
class Mails {
    private final JdbcClient jdbc;

    Mails(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @EventHandler(consumer = "notifications")
    public void on(OrderPlaced order) {
        note(order.orderId(), order.customer(), "RECEIVED");
    }

    @EventHandler(consumer = "notifications")
    public void on(PaymentTaken payment) {
        note(payment.orderId(), payment.customer(), "PAID");
    }

    @EventHandler(consumer = "notifications")
    public void on(PaymentDeclined payment) {
        note(payment.orderId(), payment.customer(), "DECLINED");
    }

    @EventHandler(consumer = "notifications")
    public void on(OutOfStock order) {
        note(order.orderId(), order.customer(), "SOLD_OUT");
    }

    private void note(long orderId, String customer, String subject) {
        jdbc.sql("INSERT INTO mail (order_id, customer, subject) VALUES (?, ?, ?)")
                .params(orderId, customer, subject)
                .update();
    }
}
