package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Events that were published in a transaction and are not written yet. They are written before anything else happens on its
 * connection; if nothing does, together with the commit, in one round trip. Used by one thread, for one transaction.
 */
final class WaitingEvents implements OwnTransactions.Course {
    private static final int MOST_BYTES = 1 << 20;

    private final PostgresWriter writer;
    private final Connection own;
    private final Connection watched;
    private List<Event> events = new ArrayList<>();
    private long bytes;
    private boolean mayWait = true;
    /** Some could not be written, and the transaction can go on all the same. */
    private boolean missing;

    WaitingEvents(PostgresWriter writer, Connection own) {
        this.writer = writer;
        this.own = own;
        watched = WatchedConnection.of(own, this);
    }

    @Override
    public Connection connection() {
        return watched;
    }

    /**
     * Lets events wait, behind those that wait already.
     *
     * @param of whose tables they go to
     * @return whether it does; if not, the caller writes them
     */
    boolean add(PostgresWriter of, List<Event> more) throws SQLException {
        long size = more.stream().mapToLong(event -> event.payload().size()).sum();
        if (!mayWait || of != writer || more.size() > PostgresWriter.MOST_ROWS || size > MOST_BYTES) {
            return false;
        }
        if (events.size() + more.size() > PostgresWriter.MOST_ROWS || bytes + size > MOST_BYTES) {
            write();
        }
        events.addAll(more);
        bytes += size;
        return true;
    }

    /** Writes what waits. Whoever called was about to do something else: the failure says whose it is. */
    void write() throws SQLException {
        List<Event> taken = taken();
        if (taken.isEmpty()) {
            return;
        }
        try {
            writer.insert(own, taken);
        } catch (SQLException e) {
            // With a savepoint before each statement, as the driver sets them on demand, the transaction could go on.
            missing |= !PostgresDriver.isDoomed(own);
            throw SqlErrors.ofPublished(taken.size(), e);
        }
    }

    /** Writes what waits, and lets nothing wait any more: somebody has the connection itself, and nobody sees what happens on it. */
    void stopWaiting() throws SQLException {
        mayWait = false;
        write();
    }

    /** The transaction is rolled back. */
    void discard() {
        taken();
    }

    /** A transaction that was begun elsewhere is ended by its connection, which may know more of it than the database does. */
    @Override
    public void commit(boolean begunHere) throws SQLException {
        mayWait = false;
        if (missing) {
            throw new SQLException(
                    "Events that were published could not be written, and the failure was swallowed. Let it out",
                    "25P02");
        }
        if (begunHere && !events.isEmpty() && PostgresDriver.isUsedBy(own)) {
            writer.insertAndCommit(own, taken());
        } else {
            write();
        }
        // Also if the database has committed: the pool wants to know, and the driver asks the server only if there is
        // something to commit.
        own.commit();
    }

    private List<Event> taken() {
        List<Event> taken = events;
        events = new ArrayList<>();
        bytes = 0;
        return taken;
    }
}
