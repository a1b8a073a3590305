package dev.waybill.store.jdbc;

import dev.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The transactions of people, replays and housekeeping: short ones that change something, and long ones that read.
 * Thread-safe.
 */
abstract class Transactor {
    /** Counting a backlog takes its time, and nobody waits for such a reader. */
    static final Duration LONGEST_READ = Duration.ofSeconds(30);

    /**
     * Runs statements in one READ COMMITTED transaction. None of them takes longer than a relay's, and a process that stops
     * in the middle does not hold its locks for ever.
     */
    abstract <R> R change(String operation, Sessions.Work<R> work);

    /**
     * Runs a change that inserts what may be there already: if somebody else was faster, everything is rolled back.
     *
     * @return what the change answers; {@code false} if somebody was faster
     */
    boolean changeOnce(String operation, Sessions.Work<Boolean> work) {
        try {
            return change(operation, work);
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && SqlErrors.isDuplicate(cause)) {
                return false;
            }
            throw e;
        }
    }

    /** Runs small statements, each a transaction of its own. */
    abstract <R> R autocommit(String operation, Sessions.Work<R> work);

    /** Reads as of one moment, through indexes, and takes up to {@link #LONGEST_READ} for each statement. */
    abstract <R> R read(String operation, Sessions.Work<R> work);

    /** Reads like {@link #read}, whole tables if need be. */
    abstract <R> R readAll(String operation, Sessions.Work<R> work);
}
