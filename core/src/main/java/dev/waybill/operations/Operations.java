package dev.waybill.operations;

import dev.waybill.audit.Signature;
import dev.waybill.store.OrderKey;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Looking into an outbox, and holding it back. Thread-safe.
 *
 * <p>Every change is atomic, leaves an {@linkplain dev.waybill.audit.AuditRecord audit record} in the same transaction, and is
 * safe to repeat: repeated it changes nothing, records nothing and answers {@code false}.
 */
public interface Operations {

    /** Counts what there is. Reads the whole backlog: meant for people and for a gauge now and then, not for a loop. */
    Statistics statistics();

    /** Which relay owns which shard, by shard; a shard that nobody owns is missing, and is not delivered. */
    Map<Integer, UUID> shardOwners();

    /** Where an event is: empty if it was never there or has left the history; several if it was replayed. */
    List<Located> find(UUID eventId);

    /** What is held back by decision, destinations first. */
    List<Pause> pauses();

    /** Holds back a destination: what was sent is finished, and within a poll interval nothing more is sent. */
    boolean pauseDestination(String destination, Signature signature);

    boolean resumeDestination(String destination, Signature signature);

    /**
     * Holds back a key: like the entries behind a dead letter, its entries wait outside of the outbox. A key that is
     * parked already stays so, and is not paused.
     */
    boolean pauseKey(OrderKey key, Signature signature);

    /** Lets a paused key go on in order; one with a dead letter at its head is released or skipped instead. */
    boolean resumeKey(OrderKey key, Signature signature);

    /** Cancels a delayed event that is not yet due and was never tried. */
    boolean cancel(UUID eventId, Signature signature);
}
