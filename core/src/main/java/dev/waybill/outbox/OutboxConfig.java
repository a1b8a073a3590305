package dev.waybill.outbox;

import dev.waybill.transport.SizeLimited;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What an outbox accepts. Immutable.
 *
 * @param maxPayloadBytes    largest payload
 * @param maxHeaders         most headers of an event
 * @param maxHeaderBytes     most bytes of all header names and values of an event together, in UTF-8
 * @param destinations       the only destinations allowed; empty: any
 * @param strictDestinations destinations whose keys are locked from publish to the end of the transaction, so that
 *                           events of a key are delivered in the order of commits even when transactions overlap; every
 *                           publisher to such a destination needs this setting
 * @param payloadLimits      largest payload for some destinations, where that is less than {@code maxPayloadBytes}; see
 *                           {@link #withLimitOf}
 * @param backlog            how many events may be pending before new ones are refused, or warned about
 */
public record OutboxConfig(
        int maxPayloadBytes,
        int maxHeaders,
        int maxHeaderBytes,
        Set<String> destinations,
        Set<String> strictDestinations,
        Map<String, Integer> payloadLimits,
        BacklogLimit backlog) {

    public OutboxConfig {
        positive("maxPayloadBytes", maxPayloadBytes);
        positive("maxHeaders", maxHeaders);
        positive("maxHeaderBytes", maxHeaderBytes);
        destinations = Set.copyOf(destinations);
        strictDestinations = Set.copyOf(strictDestinations);
        payloadLimits = Map.copyOf(payloadLimits);
        payloadLimits.forEach((destination, bytes) -> positive("payload limit of " + destination, bytes));
    }

    public static OutboxConfig defaults() {
        return new OutboxConfig(1024 * 1024, 64, 16 * 1024, Set.of(), Set.of(), Map.of(), BacklogLimit.none());
    }

    public OutboxConfig withMaxPayloadBytes(int bytes) {
        return new OutboxConfig(
                bytes, maxHeaders, maxHeaderBytes, destinations, strictDestinations, payloadLimits, backlog);
    }

    public OutboxConfig withMaxHeaders(int count) {
        return new OutboxConfig(
                maxPayloadBytes, count, maxHeaderBytes, destinations, strictDestinations, payloadLimits, backlog);
    }

    public OutboxConfig withMaxHeaderBytes(int bytes) {
        return new OutboxConfig(
                maxPayloadBytes, maxHeaders, bytes, destinations, strictDestinations, payloadLimits, backlog);
    }

    public OutboxConfig withDestinations(Set<String> only) {
        return new OutboxConfig(
                maxPayloadBytes, maxHeaders, maxHeaderBytes, only, strictDestinations, payloadLimits, backlog);
    }

    public OutboxConfig withStrictDestinations(Set<String> strict) {
        return new OutboxConfig(
                maxPayloadBytes, maxHeaders, maxHeaderBytes, destinations, strict, payloadLimits, backlog);
    }

    /** Refuses payloads for a destination that its transport could not deliver. */
    public OutboxConfig withLimitOf(String destination, SizeLimited transport) {
        Map<String, Integer> limits = new HashMap<>(payloadLimits);
        limits.put(destination, transport.maxPayloadBytes());
        return new OutboxConfig(
                maxPayloadBytes, maxHeaders, maxHeaderBytes, destinations, strictDestinations, limits, backlog);
    }

    public OutboxConfig withBacklog(BacklogLimit limit) {
        return new OutboxConfig(
                maxPayloadBytes, maxHeaders, maxHeaderBytes, destinations, strictDestinations, payloadLimits, limit);
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1.");
        }
    }
}
