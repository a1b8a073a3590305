package dev.waybill.audit;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A decision that was carried out.
 *
 * @param number   increasing in the order of decisions
 * @param subject  what it was about, for instance {@code dead letter 4711} or {@code orders/42}
 * @param eventId  the event that it was about, if it was one
 * @param original the event as it was before an {@link Action#EDIT}
 */
public record AuditRecord(
        long number,
        Instant at,
        Action action,
        String subject,
        @Nullable UUID eventId,
        Signature signature,
        @Nullable Event original) {

    /** What was decided. */
    public enum Action {
        RELEASE,
        SKIP,
        REDRIVE,
        EDIT,
        DISCARD,
        PAUSE,
        RESUME,
        CANCEL,
        REPLAY,
        PAUSE_REPLAY,
        RESUME_REPLAY,
        CANCEL_REPLAY
    }
}
