package dev.waybill.transport;

import dev.waybill.event.Event;

/**
 * One try to deliver an entry.
 *
 * @param event    what to deliver
 * @param sequence the entry's sequence in its store, for consumers that want to see gaps or duplicates
 * @param attempt  1 for the first try
 * @param replay   the generation of the replay that this belongs to; 0: an ordinary delivery
 * @param sendId   unique within the relay: which try a result belongs to
 */
public record Delivery(Event event, long sequence, int attempt, int replay, long sendId) {}
