package dev.waybill.spring.tests.purchases;

import dev.waybill.spring.PublishedEvent;

/** The event of the tests. */
@PublishedEvent(destination = "purchases", key = "purchaseId")
public record PurchaseMade(String purchaseId, String text) {}
