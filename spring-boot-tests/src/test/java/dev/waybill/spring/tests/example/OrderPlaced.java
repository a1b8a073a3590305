package dev.waybill.spring.tests.example;

import dev.waybill.spring.PublishedEvent;

// published-event
@PublishedEvent(destination = "orders", key = "order", version = 2)
record OrderPlaced(String order, int pieces, String currency) {}
// end
