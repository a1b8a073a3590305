package dev.waybill.examples.shop.events;

import dev.waybill.spring.PublishedEvent;

/** The customer's bank does not pay for an order. */
@PublishedEvent(destination = "payments", key = "customer")
public record PaymentDeclined(long orderId, String customer) {}
