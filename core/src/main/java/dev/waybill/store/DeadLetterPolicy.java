package dev.waybill.store;

/** What a dead letter means for the entries of the same key behind it. */
public enum DeadLetterPolicy {
    /** They wait, in order, until somebody releases or skips the dead one. */
    PARK,
    /** They go on without it. */
    SKIP
}
