package dev.waybill.store;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/**
 * How a relay changes entries. Thread-safe.
 *
 * <p>Every method is fenced: it holds the leases that it is given while it works, and changes nothing in a shard whose
 * owner or epoch differ, however long the caller was asleep. When a method throws, its outcome is unknown: it may
 * have happened, or may still happen until the shards are {@linkplain LeaseStore#retake taken anew}.
 */
public interface EntrySettler {

    /**
     * Writes outcomes back. Each outcome is applied wholly or not at all; an entry that does not exist any more is
     * passed over. {@link Outcome.Died} with {@link DeadLetterPolicy#PARK} parks the entry's key, if it has one.
     *
     * @param leases   the relay's leases, for at least the shards of the outcomes
     * @param outcomes at most one for an entry
     * @return the shards of which nothing was changed because the lease is lost
     */
    Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes);

    /**
     * Moves up to {@code limit} entries of a stretch of a parked key out of the outbox, to wait behind the dead one; nothing
     * if the key is not parked, for then nobody could release them.
     *
     * @return how many were moved: fewer than the limit means that none was left. Empty: the lease is lost, and nothing
     *     was changed
     */
    OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit);

    /**
     * Puts up to {@code limit} waiting entries of a releasing key back into the outbox, lowest sequence first, with
     * their sequences. When none is left the key is no longer parked.
     *
     * @return how many were put back: fewer than the limit means that the key is free now. Empty: the lease is lost, or
     *     the key is parked and nobody released it; nothing was changed
     */
    OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit);
}
