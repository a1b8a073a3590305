package dev.waybill.outbox;

/**
 * What happens when the outbox fills up because its destinations do not keep up. Immutable.
 *
 * @param entries more pending entries than these are too many; 0: no limit
 * @param action  what is done then
 */
public record BacklogLimit(long entries, Action action) {

    /** What is done about a publish beyond the limit. */
    public enum Action {
        /** The event is refused, so that the caller can roll back and slow down. */
        REJECT,
        /** It is accepted, with a warning in the log now and then. */
        WARN
    }

    public BacklogLimit {
        if (entries < 0) {
            throw new IllegalArgumentException(
                    "The backlog limit is " + entries + "; it must be positive, or 0 for none.");
        }
    }

    public static BacklogLimit none() {
        return new BacklogLimit(0, Action.WARN);
    }

    public static BacklogLimit reject(long beyond) {
        return new BacklogLimit(beyond, Action.REJECT);
    }

    public static BacklogLimit warn(long beyond) {
        return new BacklogLimit(beyond, Action.WARN);
    }
}
