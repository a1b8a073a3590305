package dev.waybill.spring.inbox;

import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.JdbcInbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.transaction.PlatformTransactionManager;

/** The inbox on Spring's transactions, so that all that joins them takes effect with the record of the event. Thread-safe. */
final class SpringInbox implements InboxStore<Connection> {
    private final JdbcInbox inbox;
    private final SpringTransactions transactions;

    SpringInbox(JdbcInbox inbox, SpringTransactions transactions) {
        this.inbox = inbox;
        this.transactions = transactions;
    }

    PlatformTransactionManager transactionManager() {
        return transactions.manager();
    }

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        return transactions.run(work);
    }

    @Override
    public Claim claim(Connection transaction, InboxKey key, Origin origin) {
        return inbox.claim(transaction, key, origin);
    }

    @Override
    public boolean isClaimed(Connection transaction, InboxKey key) {
        return inbox.isClaimed(transaction, key);
    }

    @Override
    public Claim claimAside(Connection transaction, InboxKey key) {
        return inbox.claimAside(transaction, key);
    }

    @Override
    public Claim lease(Connection transaction, InboxKey key, Origin origin, Duration duration) {
        return inbox.lease(transaction, key, origin, duration);
    }

    @Override
    public boolean complete(Connection transaction, InboxKey key, long epoch) {
        return inbox.complete(transaction, key, epoch);
    }

    @Override
    public boolean release(Connection transaction, InboxKey key, long epoch, Origin origin) {
        return inbox.release(transaction, key, epoch, origin);
    }

    @Override
    public Set<InboxKey> seen(Collection<InboxKey> keys) {
        return inbox.seen(keys);
    }

    @Override
    public Duration retention() {
        return inbox.retention();
    }

    @Override
    public boolean isAside(Connection transaction, OrderKey lane) {
        return inbox.isAside(transaction, lane);
    }

    @Override
    public void setAside(Connection transaction, Event event, int replay, Setback setback) {
        inbox.setAside(transaction, event, replay, setback);
    }

    @Override
    public List<Entry> stored(String consumer, long afterSequence, int limit) {
        return inbox.stored(consumer, afterSequence, limit);
    }
}
