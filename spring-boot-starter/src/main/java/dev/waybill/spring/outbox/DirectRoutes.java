package dev.waybill.spring.outbox;

import dev.waybill.transport.Transport;

/** A bean that knows what carries the events of a destination, for applications without an outbox. Thread-safe. */
@FunctionalInterface
public interface DirectRoutes {

    /** The transport of a destination. */
    Transport transportOf(String destination);
}
