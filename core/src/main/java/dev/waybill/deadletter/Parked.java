package dev.waybill.deadletter;

import dev.waybill.store.ParkedKey;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A parked key as an operator sees it.
 *
 * @param deadSequence the dead letter at its head; empty: somebody paused the key
 * @param waiting      how many entries wait, not counting those that are still in the outbox
 */
public record Parked(ParkedKey parkedKey, OptionalLong deadSequence, Instant since, long waiting) {}
