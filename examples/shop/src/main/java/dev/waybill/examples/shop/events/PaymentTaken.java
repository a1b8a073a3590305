package dev.waybill.examples.shop.events;

import dev.waybill.spring.PublishedEvent;

/** An order is paid. */
@PublishedEvent(destination = "payments", key = "customer")
public record PaymentTaken(long orderId, String customer, long amount) {}
