package dev.waybill.examples.shop.orders;

import dev.waybill.outbox.TypedOutbox;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. Thread-safe. */
@Service
public class OrderService {
    private final OrderRepository orders;
    private final TypedOutbox outbox;

    OrderService(OrderRepository orders, TypedOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    /** Saves an order and tells the others: both if the transaction commits, otherwise neither. */
    @Transactional
    public long place(String customer, String article, int quantity, long amount) {
        Order order = orders.save(new Order(customer, article, quantity, amount));
        outbox.publish(order.placed());
        return order.id();
    }
}
