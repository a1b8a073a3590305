package dev.waybill.spring.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the outbox of every commit of a transaction manager, right before it, and of transactions that begin within those of
 * other managers. Thread-safe.
 */
public final class CommitListener implements TransactionExecutionListener {

    /** Spring suspends the callbacks of the outer transaction, but its connection stays with the thread. */
    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure != null
                || !transaction.isNewTransaction()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        ConnectionHolder own = connection(transaction);
        List<ConnectionHolder> outer = TransactionSynchronizationManager.getResourceMap().values().stream()
                .filter(ConnectionHolder.class::isInstance)
                .map(ConnectionHolder.class::cast)
                .filter(holder -> holder != own)
                .toList();
        if (!outer.isEmpty()) {
            CommitPhase.join().within(outer);
        }
    }

    /** Null if the manager is none of JDBC or JPA. */
    private static @Nullable ConnectionHolder connection(TransactionExecution transaction) {
        return transaction instanceof DefaultTransactionStatus status
                        && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                        && jdbc.hasConnectionHolder()
                ? jdbc.getConnectionHolder()
                : null;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        // A savepoint that is released "commits" as well.
        if (transaction.isNewTransaction() && TransactionSynchronizationManager.isSynchronizationActive()) {
            CommitPhase.join().begin();
        }
    }
}
