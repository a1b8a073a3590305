package dev.waybill.store;

/** What a store needs somebody to do now and then. Thread-safe, and safe for any number of callers at once. */
public interface Housekeeping {

    /**
     * Carries running replays on as far as their rates allow.
     *
     * @return how many entries were put into the outbox; 0 if none may be yet
     */
    int advanceReplays();

    /** Whether a replay is running, so that {@link #advanceReplays} is worth calling many times a second. */
    boolean hasRunningReplays();

    /**
     * Removes what has been kept long enough, a bounded portion, and prepares for what comes. Never what a replay that has
     * not ended still needs. Keeps no lock that deliveries would wait for longer than a moment.
     *
     * @return how much was removed; 0: nothing is left to remove for now
     */
    int clean();
}
