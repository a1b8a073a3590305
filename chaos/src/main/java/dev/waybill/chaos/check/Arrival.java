package dev.waybill.chaos.check;

import java.util.UUID;

/**
 * An event that came somewhere: into a topic, or into the table of effects.
 *
 * @param partition of the topic; empty for an effect
 * @param shard     of the outbox that it came from
 * @param millis    when, in milliseconds of the steady clock
 */
record Arrival(UUID id, String partition, int shard, long millis) {}
