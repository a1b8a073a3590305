package dev.waybill.examples.shop.events;

import dev.waybill.spring.PublishedEvent;

/** A customer ordered something. The key is the customer, so that their orders are handled one after the other. */
@PublishedEvent(destination = "orders", key = "customer")
public record OrderPlaced(long orderId, String customer, String article, int quantity, long amount) {}
