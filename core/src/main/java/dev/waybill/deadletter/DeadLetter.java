package dev.waybill.deadletter;

import dev.waybill.event.EventHeaders;
import dev.waybill.store.Entry;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry that Waybill gave up on, with {@link Entry#lastError() the reason} and when that was: one that no transport could
 * deliver, or one that a consumer could not handle.
 *
 * @param parksKey whether later entries of its key wait behind it
 * @param replays  how often somebody had it tried again
 */
public record DeadLetter(Entry entry, State state, Instant diedAt, boolean parksKey, int replays) {

    /** What has been decided about a dead letter, and what became of it. */
    public enum State {
        /** Nothing yet. */
        PENDING,
        /** Somebody let the entries behind it go on without it. */
        SKIPPED,
        /** Somebody had it tried again, and its outcome is not known yet. If it fails again, it is pending again. */
        REPLAYING,
        /** It was tried again and worked; it is kept for some days and then removed. */
        RESOLVED,
        /** Somebody decided that it is not needed; it is kept for some days and then removed. */
        DISCARDED;

        /** Whether a decision about it is still possible. */
        public boolean isOpen() {
            return this == PENDING || this == SKIPPED;
        }
    }

    /** The consumer that could not handle it; empty: it could not be delivered. */
    public Optional<String> consumer() {
        return header(EventHeaders.ORIGIN).map(origin -> entry.destination());
    }

    /** The destination that it was published to. */
    public String publishedTo() {
        return header(EventHeaders.ORIGIN).orElse(entry.destination());
    }

    /** The service that published it, if its consumer was told. */
    public Optional<String> sourceService() {
        return header(EventHeaders.SOURCE);
    }

    public Optional<String> sagaId() {
        return header(EventHeaders.SAGA_ID);
    }

    public Optional<String> correlationId() {
        return header(EventHeaders.CORRELATION_ID);
    }

    private Optional<String> header(String name) {
        return Optional.ofNullable(entry.event().headers().get(name));
    }
}
