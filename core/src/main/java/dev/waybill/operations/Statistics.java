package dev.waybill.operations;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is in an outbox.
 *
 * @param destinations   all that have something pending, dead, waiting, paused, or delivered lately; by name
 * @param deliveredWithin what {@link OfDestination#delivered} counts: deliveries of so long ago at most. Zero if nothing is
 *                       kept of deliveries (retention 0)
 * @param liveRelays     relays that renewed within their lease
 * @param ownedShards    of 64; those that nobody owns are not delivered
 */
public record Statistics(List<OfDestination> destinations, Duration deliveredWithin, int liveRelays, int ownedShards) {

    public Statistics {
        destinations = List.copyOf(destinations);
    }

    /**
     * What is known of a destination.
     *
     * @param pending    entries in the outbox
     * @param delayed    of these, not yet due for the first time
     * @param failing    of these, failed at least once
     * @param oldestAge  how long the oldest entry has been waiting, those between two attempts included, delayed ones from
     *                   the time that they asked for
     * @param delivered  within the last minute or less, see {@link Statistics#deliveredWithin}
     * @param dead       dead letters that nobody has decided about
     * @param waiting    entries behind dead letters and of paused keys
     * @param parkedKeys keys that are parked, paused or releasing
     * @param paused     held back by decision
     */
    public record OfDestination(
            String destination,
            long pending,
            long delayed,
            long failing,
            Optional<Duration> oldestAge,
            long delivered,
            long dead,
            long waiting,
            long parkedKeys,
            boolean paused) {}

    public long pending() {
        return destinations.stream().mapToLong(OfDestination::pending).sum();
    }

    public long dead() {
        return destinations.stream().mapToLong(OfDestination::dead).sum();
    }

    public long parkedKeys() {
        return destinations.stream().mapToLong(OfDestination::parkedKeys).sum();
    }

    public Optional<Duration> oldestAge() {
        return destinations.stream().flatMap(one -> one.oldestAge().stream()).max(Duration::compareTo);
    }
}
