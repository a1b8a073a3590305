package dev.waybill.examples.shop.payments;

import dev.waybill.examples.shop.events.PaymentDeclined;
import dev.waybill.examples.shop.events.PaymentTaken;
import dev.waybill.examples.shop.events.StockReserved;
import dev.waybill.spring.EventHandler;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Charges for orders whose articles are set aside. It publishes with Spring's own publisher, which does just as well. */
@Component
class Till {
    /** What banks pay without asking. */
    private static final long LIMIT = 9_500;

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher publisher;

    Till(JdbcClient jdbc, ApplicationEventPublisher publisher) {
        this.jdbc = jdbc;
        this.publisher = publisher;
    }

    @EventHandler(consumer = "payments")
    public void on(StockReserved order) {
        boolean paid = order.amount() <= LIMIT;
        jdbc.sql("INSERT INTO payment (order_id, customer, amount, state) VALUES (?, ?, ?, ?)")
                .params(order.orderId(), order.customer(), order.amount(), paid ? "TAKEN" : "DECLINED")
                .update();
        publisher.publishEvent(
                paid
                        ? new PaymentTaken(order.orderId(), order.customer(), order.amount())
                        : new PaymentDeclined(order.orderId(), order.customer()));
    }
}
