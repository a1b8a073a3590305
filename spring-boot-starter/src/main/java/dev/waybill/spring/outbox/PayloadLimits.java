package dev.waybill.spring.outbox;

/** A bean that knows how much can be carried to a destination. Thread-safe. */
@FunctionalInterface
public interface PayloadLimits {

    /** The largest payload, in bytes, that can be delivered to a destination; {@link Integer#MAX_VALUE}: any can. */
    int of(String destination);
}
