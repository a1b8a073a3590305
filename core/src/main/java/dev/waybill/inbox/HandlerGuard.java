package dev.waybill.inbox;

/**
 * Stands before a consumer's handlers and may hold them back while they would only fail, as a circuit breaker does.
 * Thread-safe.
 *
 * <p>It does not repeat a try: a failed event is put aside and tried again later, so that no thread waits for it.
 */
@FunctionalInterface
public interface HandlerGuard {

    /** One try to handle an event. */
    @FunctionalInterface
    interface Attempt {
        void run() throws Exception;
    }

    /**
     * Runs the attempt, at most once, on this thread.
     *
     * @param consumer whose handler it is
     * @throws DeferredException if it was not run, or failed like all the others do at the moment: it is to be tried later
     *     without counting as an attempt
     * @throws Exception otherwise what the attempt throws, unchanged
     */
    void run(String consumer, Attempt attempt) throws Exception;

    /** Holds nothing back. */
    static HandlerGuard none() {
        return (consumer, attempt) -> attempt.run();
    }
}
