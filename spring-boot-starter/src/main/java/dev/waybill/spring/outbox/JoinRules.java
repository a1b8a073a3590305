package dev.waybill.spring.outbox;

import dev.waybill.store.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whether the calling thread is in a transaction that an event can join. Immutable.
 *
 * @param name       the bean name of the data source
 * @param dataSource as Spring's transaction managers know it
 */
record JoinRules(String name, DataSource dataSource) {

    /** Throws unless the transaction is one of the data source, may write, and is not yet committed. */
    void check() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new NoTransactionException(
                    "No transaction is open, so the event could come apart from the data that it"
                            + " tells about. Put @Transactional on the method that publishes, or use a TransactionTemplate."
                            + " If the annotation is there already: it works only for calls from other beans (not for"
                            + " this.method()), for methods that are not private, and not in another thread.");
        }
        CommitPhase phase = CommitPhase.current();
        if (!TransactionSynchronizationManager.isSynchronizationActive() || (phase != null && phase.isCommitted())) {
            throw new NoTransactionException(
                    "The transaction is already committed or rolled back: what is published in a"
                            + " callback after its end would be lost. Publish before it (for instance with"
                            + " @TransactionalEventListener(phase = BEFORE_COMMIT)), or in a transaction of its own:"
                            + " @Transactional(propagation = Propagation.REQUIRES_NEW).");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new NoTransactionException(
                    "The transaction is read-only, so the event could not be written with it."
                            + " Publish in one that may write: @Transactional without readOnly = true, on the outermost method.");
        }
        if (isOuter()) {
            throw new NoTransactionException(
                    "The transaction of the data source \"" + name + "\" is around one of another"
                            + " manager, which began later and ends first: the event would not be part of what it is published"
                            + " in. Publish it before or after the inner transaction, or begin one of its own"
                            + " (@Transactional(transactionManager = \"...\", propagation = Propagation.REQUIRES_NEW)), or publish"
                            + " with the outbox of the inner one's data source.");
        }
        if (!isOpen()) {
            throw new NoTransactionException("The transaction is none of the data source \"" + name + "\", so the event"
                    + " would not be part of it. Name the manager of that data source (@Transactional(\"...\")), or"
                    + " publish with the outbox of the data source that the transaction belongs to: list both in"
                    + " waybill.data-sources, and inject it by @Qualifier with the data source's bean name.");
        }
    }

    /** Whether the innermost transaction is another one, within that of the data source. */
    private boolean isOuter() {
        CommitPhase phase = CommitPhase.current();
        return phase != null
                && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                && phase.isOuter(holder);
    }

    /** Whether the innermost transaction of the thread is one of the data source. */
    boolean isOpen() {
        if (isOuter() || !(TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder)) {
            return false;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            // One that was opened by a JdbcTemplate within a transaction of somebody else commits by itself.
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new NoTransactionException("The connection of data source \"" + name + "\" does not answer: "
                    + e.getMessage() + ". Roll back and try again.");
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }
}
