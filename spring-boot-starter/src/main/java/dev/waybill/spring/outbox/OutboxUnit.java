package dev.waybill.spring.outbox;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import javax.sql.DataSource;

/**
 * All that belongs to the outbox of one data source; a bean for each of them. Immutable.
 *
 * @param name        the bean name of the data source
 * @param dataSource  what the application uses for its transactions
 * @param connections what the store, its relays and their signals use: a pool of their own, or the application's
 * @param signals     whether commits are told to other processes, so that it is worth to listen for theirs (PostgreSQL)
 * @param store       the tables
 * @param commits     writes within a connection's transaction, and signals commits to whom it may concern
 * @param outbox      what the application publishes with
 */
public record OutboxUnit(
        String name,
        DataSource dataSource,
        DataSource connections,
        boolean signals,
        JdbcOutboxStore store,
        JdbcOutbox commits,
        TypedOutbox outbox) {

    /** The same with something around what the application publishes with, for instance of a test. */
    public OutboxUnit withOutbox(TypedOutbox other) {
        return new OutboxUnit(name, dataSource, connections, signals, store, commits, other);
    }
}
