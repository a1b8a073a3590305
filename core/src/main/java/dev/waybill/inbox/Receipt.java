package dev.waybill.inbox;

import java.time.Duration;

/**
 * What became of an event that a consumer was given.
 *
 * @param retryAfter when to give it again, if it was not taken
 */
public record Receipt(Kind kind, Duration retryAfter) {

    /** What became of it. */
    public enum Kind {
        /** It took effect. */
        HANDLED,
        /** The consumer has nothing to do with events of its type. */
        IGNORED,
        /** It took effect, or was put aside, before. */
        DUPLICATE,
        /** It was put aside, to be tried later and in order. */
        ASIDE,
        /** It was put aside as a dead letter. */
        DEAD,
        /** Not taken: somebody else is at this very event. Others may be given meanwhile, but none of its key. */
        BUSY,
        /** Not taken: the consumer takes nothing for a while. */
        DEFERRED
    }

    public static Receipt of(Kind kind) {
        return new Receipt(kind, Duration.ZERO);
    }

    /** Whether the consumer answers for the event from now on, so that it may be acknowledged. */
    public boolean isTaken() {
        return kind != Kind.BUSY && kind != Kind.DEFERRED;
    }
}
