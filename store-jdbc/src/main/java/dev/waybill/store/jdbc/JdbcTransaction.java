package dev.waybill.store.jdbc;

import dev.waybill.outbox.Outbox;
import java.sql.Connection;

/** A transaction of {@link JdbcOutbox#inTransaction}: its connection and its outbox. Used by one thread. */
public interface JdbcTransaction extends Outbox {

    /**
     * For the statements of the transaction. {@code inTransaction} ends it: do not commit, roll back or close. Publish through
     * this object, not through {@link JdbcOutbox#on}: the relay is told of those shards only, and finds others with its poll.
     *
     * <p>On PostgreSQL it stands before the pool's connection, so that published events are written before anything else happens.
     */
    Connection connection();
}
