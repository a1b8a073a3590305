package dev.waybill.spring;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.transport.Delivery;

/** A bean that stands around every try of a handler, within its transaction. Thread-safe; several in their order. */
@FunctionalInterface
public interface HandlerInterceptor {

    /**
     * Runs the attempt once, on this thread.
     *
     * @throws Exception what the attempt throws, unchanged
     */
    void around(String consumer, Delivery delivery, HandlerGuard.Attempt attempt) throws Exception;
}
