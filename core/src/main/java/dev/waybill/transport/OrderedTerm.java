package dev.waybill.transport;

/**
 * A term in which a failure keeps everything behind it from arriving, so that several deliveries of one (destination, key) may be
 * on their way at a time, in one batch and in their order. Thread-safe.
 *
 * <p>Their results come in that order. After the first that is not {@link DeliveryResult.Delivered}, those behind it have not
 * arrived either, and get no result.
 */
public interface OrderedTerm extends Term {}
