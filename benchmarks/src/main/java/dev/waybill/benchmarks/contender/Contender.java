package dev.waybill.benchmarks.contender;

import java.util.List;

/**
 * One way to get events out of a database: raw JDBC, Waybill, or a peer. One thread calls it, except {@link #transact},
 * which many threads call at a time, also while it delivers.
 */
public interface Contender extends AutoCloseable {

    /** Versions, pool sizes and tuning, as one line: printed with the result. */
    String settings();

    /** Drops its tables and makes them anew: afterwards they are empty, as is the table of purchases. */
    void install() throws Exception;

    /** In ONE transaction: inserts the purchase, publishes all messages in their order, commits. */
    void transact(Purchase purchase, List<Message> messages) throws Exception;

    /**
     * Makes a backlog in the quickest way that leaves the same rows as publishing would: messages 1, 2, 3... as
     * {@link Message#of} makes them, over keys in turn.
     */
    void fill(int messages, int keys, int payloadBytes) throws Exception;

    /** Begins to deliver, also what is in the tables already. */
    void start(Receiver receiver) throws Exception;

    /** Ends delivering, and keeps the tables; {@link #start} may follow. */
    void stop() throws Exception;

    /** Stops, and gives its connections back. */
    @Override
    void close();
}
