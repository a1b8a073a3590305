package dev.waybill.store.jdbc;

import dev.waybill.store.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;

/** Checks that a connection is in a transaction that can take an event, or what became of one. */
final class Transactions {
    private static final String INSTEAD =
            " Or use JdbcOutbox.inTransaction(dataSource, work), for a" + " consumer JdbcInbox.inTransaction(work).";

    private Transactions() {}

    static void require(Connection connection) throws SQLException {
        if (connection.isClosed()) {
            throw refused(
                    "The connection is closed, so the event would be lost.", "Publish before the transaction ends.");
        }
        if (connection.getAutoCommit()) {
            throw refused(
                    "The connection is in autocommit mode: the event would come apart from the data it tells about.",
                    "Call connection.setAutoCommit(false) before the transaction's first statement.");
        }
        if (connection.isReadOnly()) {
            throw refused(
                    "The connection is read-only, so no event can be stored with this transaction.",
                    "Call connection.setReadOnly(false) before it begins (with Spring: no readOnly = true).");
        }
    }

    private static NoTransactionException refused(String why, String remedy) {
        return new NoTransactionException(why + " " + remedy + INSTEAD);
    }
}
