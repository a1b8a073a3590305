package dev.waybill.examples.shop.orders;

import dev.waybill.examples.shop.events.OutOfStock;
import dev.waybill.examples.shop.events.PaymentDeclined;
import dev.waybill.examples.shop.events.PaymentTaken;
import dev.waybill.examples.shop.orders.Order.State;
import dev.waybill.spring.EventHandler;
import org.springframework.stereotype.Component;

/** Writes down what became of an order. The entity's change and the inbox's note of the event are one transaction. */
@Component
class Outcomes {
    private final OrderRepository orders;

    Outcomes(OrderRepository orders) {
        this.orders = orders;
    }

    @EventHandler(consumer = "orders")
    public void on(PaymentTaken event) {
        end(event.orderId(), State.PAID);
    }

    @EventHandler(consumer = "orders")
    public void on(PaymentDeclined event) {
        end(event.orderId(), State.DECLINED);
    }

    @EventHandler(consumer = "orders")
    public void on(OutOfStock event) {
        end(event.orderId(), State.SOLD_OUT);
    }

    private void end(long orderId, State outcome) {
        orders.findById(orderId).orElseThrow().becomes(outcome);
    }
}
