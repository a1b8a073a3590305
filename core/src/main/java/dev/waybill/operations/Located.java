package dev.waybill.operations;

import dev.waybill.store.Entry;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where an event was found.
 *
 * @param since when it came there, if that is known: its death, its delivery
 * @param owner the relay that owns its shard, while it is in the outbox
 */
public record Located(
        Entry entry,
        Place place,
        @Nullable Instant since,
        @Nullable UUID owner) {

    /** Where an entry can be. */
    public enum Place {
        /** In the outbox and due. */
        PENDING,
        /** Sent by a relay of this process and not yet answered. */
        IN_FLIGHT,
        /** In the outbox, not due before its time. */
        DELAYED,
        /** In the outbox, waiting for its next attempt. */
        RETRYING,
        /** Behind a dead letter, or of a paused key. */
        WAITING,
        DEAD,
        SKIPPED,
        DISCARDED,
        /** In the history. */
        DELIVERED
    }
}
