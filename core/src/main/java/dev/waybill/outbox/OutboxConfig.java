package dev.waybill.outbox;

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
 */
public record OutboxConfig(
        int maxPayloadBytes,
        int maxHeaders,
        int maxHeaderBytes,
        Set<String> destinations,
        Set<String> strictDestinations) {

    public OutboxConfig {
        positive("maxPayloadBytes", maxPayloadBytes);
        positive("maxHeaders", maxHeaders);
        positive("maxHeaderBytes", maxHeaderBytes);
        destinations = Set.copyOf(destinations);
        strictDestinations = Set.copyOf(strictDestinations);
    }

    public static OutboxConfig defaults() {
        return new OutboxConfig(1024 * 1024, 64, 16 * 1024, Set.of(), Set.of());
    }

    public OutboxConfig withMaxPayloadBytes(int bytes) {
        return new OutboxConfig(bytes, maxHeaders, maxHeaderBytes, destinations, strictDestinations);
    }

    public OutboxConfig withMaxHeaders(int count) {
        return new OutboxConfig(maxPayloadBytes, count, maxHeaderBytes, destinations, strictDestinations);
    }

    public OutboxConfig withMaxHeaderBytes(int bytes) {
        return new OutboxConfig(maxPayloadBytes, maxHeaders, bytes, destinations, strictDestinations);
    }

    public OutboxConfig withDestinations(Set<String> only) {
        return new OutboxConfig(maxPayloadBytes, maxHeaders, maxHeaderBytes, only, strictDestinations);
    }

    public OutboxConfig withStrictDestinations(Set<String> strict) {
        return new OutboxConfig(maxPayloadBytes, maxHeaders, maxHeaderBytes, destinations, strict);
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1.");
        }
    }
}
