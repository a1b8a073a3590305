package dev.waybill.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Who owns which shard. All times are by the store's clock; all methods are atomic and thread-safe.
 *
 * <p>A shard that was never owned is free. Leases outlive their owner until they expire.
 */
public interface LeaseStore {

    /**
     * Announces a live relay and extends all of its leases, whether expired or not, as long as nobody else took them.
     * Epochs stay. Announcements of relays whose lease time has passed no longer count as live.
     */
    Ownership renew(UUID relay, Duration lease);

    /** Takes up to {@code atMost} shards, whichever are free. */
    default List<Lease> take(UUID relay, int atMost, Duration lease) {
        return take(relay, ShardSet.ALL, atMost, lease);
    }

    /**
     * Takes up to {@code atMost} of some shards that are free or whose lease has expired, each with an epoch higher than any
     * before. Never takes a shard from a live lease, and never the same shard for two callers. A shard that another
     * caller is taking at the moment may be passed over.
     *
     * @return the leases that were taken by this call
     */
    List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease);

    /**
     * Takes the relay's own shards anew, each with a higher epoch: what it sent to the store before, and does not
     * know the outcome of, has either happened when this returns or never will.
     */
    List<Lease> retake(UUID relay, Duration lease);

    /** Frees those of the leases that are still held with their epoch; ignores the others. Idempotent. */
    void giveBack(UUID relay, Collection<Lease> leases);

    /**
     * Withdraws the announcement of a relay that will take nothing more: it no longer counts as live, so that the others
     * take what it gives back. Its leases stay. Idempotent; the next renewal announces it again.
     */
    void withdraw(UUID relay);

    /** Frees all that the relay holds and withdraws its announcement. Idempotent. */
    void leave(UUID relay);
}
