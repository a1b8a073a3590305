package dev.waybill.deadletter;

import dev.waybill.store.Entry;
import java.time.Instant;

/**
 * An entry that Waybill gave up on, with {@link Entry#lastError() the reason} and when that was.
 *
 * @param parksKey whether later entries of its key wait behind it
 */
public record DeadLetter(Entry entry, State state, Instant diedAt, boolean parksKey) {

    /** What has been decided about a dead letter. */
    public enum State {
        /** Nothing yet. */
        DEAD,
        /** Somebody let the entries behind it go on without it. */
        SKIPPED,
        /** Somebody decided that it is not needed; it is kept for some days and then removed. */
        DISCARDED
    }
}
