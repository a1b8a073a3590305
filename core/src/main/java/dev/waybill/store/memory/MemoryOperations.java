package dev.waybill.store.memory;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.operations.Located;
import dev.waybill.operations.Operations;
import dev.waybill.operations.Pause;
import dev.waybill.operations.Statistics;
import dev.waybill.store.OrderKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Looking into the store and holding it back, each under its lock. Thread-safe. */
final class MemoryOperations implements Operations {
    private final MemoryOutboxStore store;
    private final Tables tables;

    MemoryOperations(MemoryOutboxStore store, Tables tables) {
        this.store = store;
        this.tables = tables;
    }

    @Override
    public Statistics statistics() {
        synchronized (tables.lock) {
            return new Census(tables.now()).of(tables);
        }
    }

    @Override
    public Map<Integer, UUID> shardOwners() {
        synchronized (tables.lock) {
            return tables.leases.owners(tables.now());
        }
    }

    @Override
    public List<Located> find(UUID eventId) {
        synchronized (tables.lock) {
            Instant now = tables.now();
            List<Located> found = new ArrayList<>();
            tables.outbox
                    .rows()
                    .filter(row -> row.event.id().equals(eventId))
                    .map(row -> new Located(row.read(now), row.place(now), null, tables.leases.owner(row.shard, now)))
                    .forEach(found::add);
            tables.graveyard.findWaiting(eventId).stream()
                    .map(row -> new Located(row.read(now), Located.Place.WAITING, null, null))
                    .forEach(found::add);
            tables.graveyard.deadLetters().stream()
                    .filter(letter -> letter.entry().event().id().equals(eventId))
                    .map(letter -> new Located(letter.entry(), placeOf(letter), letter.diedAt(), null))
                    .forEach(found::add);
            tables.history.all().stream()
                    .filter(delivery -> delivery.getValue().event().id().equals(eventId))
                    .map(delivery -> new Located(
                            delivery.getValue(),
                            Located.Place.DELIVERED,
                            delivery.getKey().deliveredAt(),
                            null))
                    .forEach(found::add);
            found.sort(Comparator.comparingLong(located -> located.entry().sequence()));
            return found;
        }
    }

    private static Located.Place placeOf(DeadLetter letter) {
        return switch (letter.state()) {
            case PENDING, REPLAYING, RESOLVED -> Located.Place.DEAD;
            case SKIPPED -> Located.Place.SKIPPED;
            case DISCARDED -> Located.Place.DISCARDED;
        };
    }

    @Override
    public List<Pause> pauses() {
        synchronized (tables.lock) {
            List<Pause> pauses = new ArrayList<>(tables.pausedDestinations.values());
            tables.graveyard.plots().stream()
                    .flatMap(plot -> plot.readPause().stream())
                    .sorted(Comparator.comparing(Pause::since))
                    .forEach(pauses::add);
            return pauses;
        }
    }

    @Override
    public boolean pauseDestination(String destination, Signature signature) {
        synchronized (tables.lock) {
            Instant now = tables.now();
            Pause pause = new Pause(destination, null, now, signature);
            if (tables.pausedDestinations.putIfAbsent(destination, pause) != null) {
                return false;
            }
            tables.audit.add(now, Action.PAUSE, subject(destination), null, signature);
            return true;
        }
    }

    @Override
    public boolean resumeDestination(String destination, Signature signature) {
        synchronized (tables.lock) {
            if (tables.pausedDestinations.remove(destination) == null) {
                return false;
            }
            tables.audit.add(tables.now(), Action.RESUME, subject(destination), null, signature);
            return true;
        }
    }

    private static String subject(String destination) {
        return "destination " + destination;
    }

    /** {@inheritDoc} Rewinds the shard, so that the relay learns of it as it learns of a release. */
    @Override
    public boolean pauseKey(OrderKey key, Signature signature) {
        synchronized (tables.lock) {
            Instant now = tables.now();
            if (!tables.graveyard.pause(key, now, signature)) {
                return false;
            }
            tables.leases.rewind(key.shard());
            tables.audit.add(now, Action.PAUSE, key.toString(), null, signature);
            return true;
        }
    }

    @Override
    public boolean resumeKey(OrderKey key, Signature signature) {
        synchronized (tables.lock) {
            Plot plot = tables.graveyard.plot(key);
            if (plot == null || !plot.isPaused()) {
                return false;
            }
            plot.release();
            tables.leases.rewind(plot.shard);
            tables.audit.add(tables.now(), Action.RESUME, key.toString(), null, signature);
            return true;
        }
    }

    /** {@inheritDoc} Waits while a transaction is cancelling the same event. */
    @Override
    public boolean cancel(UUID eventId, Signature signature) {
        synchronized (tables.lock) {
            try (MemoryTransaction transaction = store.begin()) {
                if (!store.cancel(transaction, eventId)) {
                    return false;
                }
                transaction.commit();
            }
            tables.audit.add(tables.now(), Action.CANCEL, "event " + eventId, eventId, signature);
            return true;
        }
    }
}
