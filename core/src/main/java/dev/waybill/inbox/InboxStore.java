package dev.waybill.inbox;

/**
 * All that a consumer needs of a store: what took effect, and what waits.
 *
 * @param <T> the transaction of the consumer's effects
 */
public interface InboxStore<T> extends ClaimStore<T>, SidingStore<T> {}
