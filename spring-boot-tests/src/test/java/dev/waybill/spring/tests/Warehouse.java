package dev.waybill.spring.tests;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.transport.RejectedEventException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/** An application that publishes orders and reserves them; bad ones are refused until somebody mends it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Warehouse {

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderPlaced(String orderId) {}

    @Bean
    Orders orders(TypedOutbox outbox) {
        return new Orders(outbox);
    }

    @Bean
    Stock stock() {
        return new Stock();
    }

    static class Orders {
        private final TypedOutbox outbox;

        Orders(TypedOutbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void place(String id) {
            outbox.publish(new OrderPlaced(id));
        }
    }

    static class Stock {
        final Queue<String> reserved = new ConcurrentLinkedQueue<>();
        volatile boolean mended;

        @EventHandler(consumer = "stock")
        public void reserve(OrderPlaced placed) {
            if (placed.orderId().startsWith("bad") && !mended) {
                throw new RejectedEventException("no such article: " + placed.orderId());
            }
            reserved.add(placed.orderId());
        }
    }
}
