package dev.waybill.deadletter;

import dev.waybill.store.Entry;
import java.time.Instant;

/** An entry that Waybill gave up on, with {@link Entry#lastError() the reason} and when that was. */
public record DeadLetter(Entry entry, State state, Instant diedAt) {

    /** What has been decided about a dead letter. */
    public enum State {
        /** Nothing yet. */
        DEAD,
        /** Somebody let the entries behind it go on without it. */
        SKIPPED
    }
}
