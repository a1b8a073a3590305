package dev.waybill.relay;

import dev.waybill.audit.Signature;
import dev.waybill.operations.Located;
import dev.waybill.operations.Operations;
import dev.waybill.operations.Pause;
import dev.waybill.operations.Statistics;
import dev.waybill.store.OrderKey;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A store's operations in a process that has relays: tells what is in flight, and wakes the relays after a decision so that
 * they need not wait for a poll. Thread-safe.
 */
public final class LiveOperations implements Operations {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Operations operations;
    private final Collection<Relay> relays;

    /** Adds what some relays know to what a store knows. */
    public LiveOperations(Operations operations, Collection<Relay> relays) {
        this.operations = operations;
        this.relays = List.copyOf(relays);
    }

    @Override
    public Statistics statistics() {
        return operations.statistics();
    }

    @Override
    public Map<Integer, UUID> shardOwners() {
        return operations.shardOwners();
    }

    /** {@inheritDoc} What is sent by a relay of this process and not yet answered is in flight. */
    @Override
    public List<Located> find(UUID eventId) {
        List<Located> found = operations.find(eventId);
        Set<Long> inFlight = new HashSet<>();
        for (Relay relay : relays) {
            relay.inFlight(PATIENCE).stream().map(Delivery::sequence).forEach(inFlight::add);
        }
        return found.stream()
                .map(one -> inFlight.contains(one.entry().sequence()) ? inFlight(one) : one)
                .toList();
    }

    private static Located inFlight(Located found) {
        boolean pending = found.place() == Located.Place.PENDING || found.place() == Located.Place.RETRYING;
        return pending ? new Located(found.entry(), Located.Place.IN_FLIGHT, found.since(), found.owner()) : found;
    }

    @Override
    public List<Pause> pauses() {
        return operations.pauses();
    }

    @Override
    public boolean pauseDestination(String destination, Signature signature) {
        return wake(operations.pauseDestination(destination, signature));
    }

    @Override
    public boolean resumeDestination(String destination, Signature signature) {
        return wake(operations.resumeDestination(destination, signature));
    }

    @Override
    public boolean pauseKey(OrderKey key, Signature signature) {
        return wake(operations.pauseKey(key, signature));
    }

    @Override
    public boolean resumeKey(OrderKey key, Signature signature) {
        return wake(operations.resumeKey(key, signature));
    }

    @Override
    public boolean cancel(UUID eventId, Signature signature) {
        return wake(operations.cancel(eventId, signature));
    }

    private boolean wake(boolean changed) {
        if (changed) {
            relays.forEach(Relay::wakeUp);
        }
        return changed;
    }
}
