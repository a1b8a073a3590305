package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.store.CommitListener;
import dev.waybill.store.ShardSet;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes events within JDBC transactions, and tells the relay after a commit. Thread-safe.
 *
 * <p>A plain connection has no hook for its commit: after one of your own, call {@link #signal()}, or let the relay
 * find the event with its next poll. {@link #inTransaction} does it by itself.
 */
public final class JdbcOutbox {
    private static final Logger log = LoggerFactory.getLogger(JdbcOutbox.class);

    /** What is done within a transaction. */
    @FunctionalInterface
    public interface Work<R> {
        R run(JdbcTransaction transaction) throws SQLException;
    }

    private final JdbcOutboxStore store;
    private final TransactionalOutbox<Connection> outbox;
    private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();

    public JdbcOutbox(JdbcOutboxStore store, OutboxConfig config) {
        this.store = store;
        this.outbox = new TransactionalOutbox<>(store, config);
    }

    /** Counts what is published, whether its transaction commits or not, as {@code outbox.entries.written}. */
    public JdbcOutbox(JdbcOutboxStore store, OutboxConfig config, MeterRegistry registry) {
        this.store = store;
        this.outbox = new TransactionalOutbox<>(store, config, registry);
    }

    /** The outbox of the transaction that is open on a connection; the caller ends it. */
    public Outbox on(Connection connection) {
        return outbox.on(connection);
    }

    /**
     * Checks the limits now, for whoever collects events and writes them later.
     *
     * @throws dev.waybill.outbox.OutboxLimitException if an event exceeds a limit, or the backlog does
     * @throws dev.waybill.outbox.UnknownDestinationException if destinations are restricted and one is none of them
     */
    public void check(Collection<Event> events) {
        outbox.check(events);
    }

    /** Calls a listener after every commit that is known here, for instance {@code relay::wakeUp}. It must be quick. */
    public void afterCommit(CommitListener listener) {
        listeners.add(listener);
    }

    /** Tells the listeners that events were committed. Never throws. */
    public void signal() {
        signal(ShardSet.ALL);
    }

    /** The same, for whoever knows the shards of the events: the relay need not look at the others. */
    public void signal(ShardSet shards) {
        for (CommitListener listener : listeners) {
            try {
                listener.onCommit(shards);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                // The transaction is committed: its caller must not take this for a failure of it.
                log.warn("A listener of the outbox failed; the relay finds the events with its next poll", e);
            }
        }
    }

    /**
     * Runs work in a transaction of its own: commits when it returns, rolls back when it throws anything, and signals
     * after the commit.
     *
     * <p>Best publish last: on PostgreSQL events are written with the next statement of the transaction, and if none follows,
     * together with the commit in one round trip. A failure to write them shows there.
     *
     * @throws dev.waybill.store.StoreException if a statement of the work or the commit failed. If it was the commit,
     *     the outcome is unknown
     */
    public <R> R inTransaction(DataSource dataSource, Work<R> work) {
        Shelf shelf = new Shelf();
        R result = transact(dataSource, work, shelf);
        // Whoever published nothing this way may have written through the connection.
        signal(shelf.shards.isEmpty() ? ShardSet.ALL : shelf.shards);
        return result;
    }

    private <R> R transact(DataSource dataSource, Work<R> work, Shelf shelf) {
        try {
            return new OwnTransactions(dataSource, OwnTransactions.ANY_ISOLATION).run(store::course, connection -> {
                try {
                    return work.run(new Bound(connection, outbox.on(connection), shelf));
                } catch (SQLException e) {
                    throw SqlErrors.translate("run a transaction", e);
                }
            });
        } catch (SQLException e) {
            throw SqlErrors.translate("run a transaction", e);
        }
    }

    /** Where the events of a transaction went. Used by one thread. */
    private static final class Shelf {
        private ShardSet shards = ShardSet.NONE;
    }

    private record Bound(Connection connection, Outbox outbox, Shelf shelf) implements JdbcTransaction {
        @Override
        public UUID publish(Event event) {
            return publishAll(List.of(event)).get(0);
        }

        @Override
        public List<UUID> publishAll(Collection<Event> events) {
            shelf.shards = shelf.shards.union(ShardSet.of(events));
            return outbox.publishAll(events);
        }

        /** What waited behind it may be anywhere. */
        @Override
        public boolean cancel(UUID id) {
            shelf.shards = ShardSet.ALL;
            return outbox.cancel(id);
        }
    }
}
