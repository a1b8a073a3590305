package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.ClaimTable.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The inbox of consumers whose effects are in a relational database. Thread-safe.
 *
 * <p>Transactions are those of the application's data source, in READ COMMITTED: who waited for another one's claim must see
 * what it left. All that needs no transaction goes through the data source of the outbox store.
 */
public final class JdbcInbox implements InboxStore<Connection> {
    private final OwnTransactions transactions;
    private final JdbcOutboxStore store;
    private final ClaimTable claims;
    private final SidingTable siding;

    /**
     * An inbox whose siding is the outbox of a store, in the database that the data source connects to.
     *
     * @param dataSource what the application uses for its own transactions
     * @param siding     a store on the same database and schema
     */
    public JdbcInbox(DataSource dataSource, JdbcOutboxStore siding) {
        this.transactions = new OwnTransactions(dataSource, Connection.TRANSACTION_READ_COMMITTED);
        this.store = siding;
        this.claims = siding.claims();
        this.siding = siding.siding();
    }

    /**
     * Runs work in a transaction of its own: commits when it returns, rolls back when it throws anything.
     *
     * @throws dev.waybill.store.StoreException if the transaction could not begin, or its commit failed: then the outcome
     *     is unknown
     * @throws SQLException if the database refused the commit because of what the work did, for instance by a deferred
     *     constraint: nothing of it took effect
     * @throws Exception what the work throws, unchanged
     */
    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        return transactions.run(work::run);
    }

    /**
     * Whether a failed commit is rolled back for sure, because of what was done in the transaction. For whoever runs the
     * transactions by other means than {@link #inTransaction}; otherwise its outcome is unknown.
     */
    public static boolean isRefusedCommit(SQLException failure) {
        return SqlErrors.isRefusal(failure);
    }

    @Override
    public Claim claim(Connection transaction, InboxKey key, Origin origin) {
        return on(transaction, "claim " + key, connection -> claims.claim(connection, key, origin, State.DONE, null));
    }

    /** A transaction that PostgreSQL has doomed answers nothing any more. */
    @Override
    public boolean isClaimed(Connection transaction, InboxKey key) {
        return on(transaction, "see whether " + key + " is still claimed", connection -> {
            try {
                return claims.isDone(connection, key);
            } catch (SQLException e) {
                if (SqlErrors.state(e).equals("25P02")) {
                    return false;
                }
                throw e;
            }
        });
    }

    @Override
    public Claim claimAside(Connection transaction, InboxKey key) {
        return on(
                transaction,
                "claim " + key,
                connection -> claims.claim(connection, key, Origin.SOURCE, State.ASIDE, null));
    }

    @Override
    public Claim lease(Connection transaction, InboxKey key, Origin origin, Duration duration) {
        State state = origin == Origin.SIDING ? State.RETRYING : State.IN_PROGRESS;
        return on(transaction, "lease " + key, connection -> claims.claim(connection, key, origin, state, duration));
    }

    @Override
    public boolean complete(Connection transaction, InboxKey key, long epoch) {
        return on(transaction, "complete " + key, connection -> claims.complete(connection, key, epoch));
    }

    @Override
    public boolean release(Connection transaction, InboxKey key, long epoch, Origin origin) {
        return on(transaction, "release " + key, connection -> claims.release(connection, key, epoch, origin));
    }

    @Override
    public Set<InboxKey> seen(Collection<InboxKey> keys) {
        return keys.isEmpty()
                ? Set.of()
                : store.transactor()
                        .read("look for events that took effect", connection -> claims.seen(connection, keys));
    }

    @Override
    public Duration retention() {
        return store.config().inboxRetention();
    }

    @Override
    public boolean isAside(Connection transaction, OrderKey lane) {
        return on(transaction, "see what waits of " + lane, connection -> siding.isAside(connection, lane));
    }

    @Override
    public void setAside(Connection transaction, Event event, int replay, Setback setback) {
        on(transaction, "put event " + event.id() + " aside", connection -> {
            siding.setAside(connection, event, replay, setback);
            return true;
        });
    }

    @Override
    public List<Entry> stored(String consumer, long afterSequence, int limit) {
        return store.transactor()
                .readAll(
                        "read what waits for consumer " + consumer,
                        connection -> siding.stored(connection, consumer, afterSequence, limit));
    }

    /** Our own statements: what fails here, a deadlock included, is no fault of the event. */
    private static <R> R on(Connection transaction, String operation, Sessions.Work<R> work) {
        try {
            Transactions.require(transaction);
            return work.on(transaction);
        } catch (SQLException e) {
            throw SqlErrors.translate(operation, e);
        }
    }
}
