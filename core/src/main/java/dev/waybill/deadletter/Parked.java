package dev.waybill.deadletter;

import dev.waybill.store.ParkedKey;

/**
 * A parked key as an operator sees it.
 *
 * @param deadSequence the dead letter at its head
 * @param waiting      how many entries wait behind it, not counting those that are still in the outbox
 */
public record Parked(ParkedKey parkedKey, long deadSequence, long waiting) {}
