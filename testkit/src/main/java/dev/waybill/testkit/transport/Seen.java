package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;

/** A result as a relay would see it. */
record Seen(Delivery delivery, DeliveryResult result) {}
