package dev.waybill.testkit.check;

import dev.waybill.store.OrderKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the checker knows about one event until there is nothing left to check. Guarded by the checker's lock. */
final class Track {

    /** What became of the event's transaction. */
    enum Fate {
        OPEN,
        COMMITTED,
        UNCERTAIN,
        ROLLED_BACK
    }

    final UUID id;
    final @Nullable OrderKey key;
    final boolean strict;
    final CheckedTransaction transaction;
    final long insertStarted;
    /** The event of the same key that was published before this one in the same transaction. */
    @Nullable
    Track previous;

    Fate fate = Fate.OPEN;
    long commitReturned;
    boolean delivered;
    boolean excused;
    boolean overtaken;

    Track(UUID id, @Nullable OrderKey key, boolean strict, CheckedTransaction transaction, long insertStarted) {
        this.id = id;
        this.key = key;
        this.strict = strict;
        this.transaction = transaction;
        this.insertStarted = insertStarted;
    }

    /** Whether a later event that arrives now would be out of order because of this one. */
    boolean holdsItsPlace() {
        return !delivered && !excused && !overtaken && fate != Fate.ROLLED_BACK;
    }

    /** The earliest time at which the promise of order binds this event: what was committed before comes first. */
    long boundBy() {
        return strict ? transaction.commitStarted : insertStarted;
    }
}
