package dev.waybill.examples.shop.events;

import dev.waybill.spring.PublishedEvent;

/** The articles of an order are set aside. */
@PublishedEvent(destination = "inventory", key = "customer")
public record StockReserved(long orderId, String customer, long amount) {}
