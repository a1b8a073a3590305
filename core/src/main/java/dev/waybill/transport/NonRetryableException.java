package dev.waybill.transport;

/**
 * Marks an exception that will be the same however often it is tried: a declined payment, a missing article. An event
 * whose handler throws one becomes a dead letter at once, and no circuit breaker counts it.
 */
public interface NonRetryableException {}
