package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events that were published in a transaction and are not written yet. They are written before anything else happens on its
 * connection; if nothing does, together with the commit, in one round trip. Used by one thread, for one transaction.
 */
final class WaitingEvents implements OwnTransactions.Course {
    private static final int MOST_BYTES = 1 << 20;

    private final PostgresWriter writer;
    private @Nullable Connection connection;
    private List<Event> events = new ArrayList<>();
    private long bytes;
    private boolean somebodyElseHasTheConnection;

    WaitingEvents(PostgresWriter writer) {
        this.writer = writer;
    }

    @Override
    public Connection begun(Connection own) {
        connection = own;
        return WatchedConnection.of(own, this);
    }

    /**
     * Lets events wait, behind those that wait already.
     *
     * @return whether it does; if not, nothing waits any more, and the caller writes them
     */
    boolean add(List<Event> more) throws SQLException {
        long size = more.stream().mapToLong(event -> event.payload().size()).sum();
        if (events.size() + more.size() > PostgresWriter.MOST_ROWS || bytes + size > MOST_BYTES) {
            write();
        }
        if (somebodyElseHasTheConnection || more.size() > PostgresWriter.MOST_ROWS || size > MOST_BYTES) {
            return false;
        }
        events.addAll(more);
        bytes += size;
        return true;
    }

    /** Writes what waits. */
    void write() throws SQLException {
        if (!events.isEmpty()) {
            writer.insert(open(), taken());
        }
    }

    /** Writes what waits, and lets nothing wait any more: somebody has the connection itself, and nobody sees what happens on it. */
    void stopWaiting() throws SQLException {
        write();
        somebodyElseHasTheConnection = true;
    }

    /** A transaction that was begun elsewhere is ended by its connection, which may know more of it than the database does. */
    @Override
    public void commit(Connection own, boolean begunHere) throws SQLException {
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

    private Connection open() {
        if (connection == null) {
            throw new IllegalStateException("The transaction has not begun");
        }
        return connection;
    }
}
