package dev.waybill.examples.shop.events;

import dev.waybill.spring.PublishedEvent;

/** There is not enough on the shelf for an order. */
@PublishedEvent(destination = "inventory", key = "customer")
public record OutOfStock(long orderId, String customer) {}
