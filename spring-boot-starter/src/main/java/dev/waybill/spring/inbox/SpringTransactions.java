package dev.waybill.spring.inbox;

import dev.waybill.inbox.ClaimStore;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcInbox;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** New transactions of a transaction manager of Spring's, in READ COMMITTED. Thread-safe. */
final class SpringTransactions {
    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);
    private static final int DEEPEST = 16;

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final TransactionDefinition definition;

    SpringTransactions(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = dataSource;
        this.manager = manager;
        DefaultTransactionDefinition requiresNew =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        requiresNew.setName("waybill-consumer");
        // Set only where it has to be: not every transaction manager can.
        if (usualIsolation(dataSource) != Connection.TRANSACTION_READ_COMMITTED) {
            requiresNew.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        }
        this.definition = requiresNew;
    }

    private static int usualIsolation(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getTransactionIsolation();
        } catch (SQLException e) {
            throw new StoreException("Could not open a connection for consumers: " + e, e);
        }
    }

    /** Whether the transactions of the manager are those of the data source, and tell how they end. */
    boolean match() {
        try {
            TransactionStatus status = begin();
            try {
                return TransactionSynchronizationManager.hasResource(dataSource)
                        && TransactionSynchronizationManager.isSynchronizationActive();
            } finally {
                manager.rollback(status);
            }
        } catch (RuntimeException e) {
            // Of something else, perhaps, that is out of reach: no reason not to start.
            log.debug("{} is not taken for the transactions of consumers", manager, e);
            return false;
        }
    }

    PlatformTransactionManager manager() {
        return manager;
    }

    /**
     * Commits when the work returns, rolls back when it throws anything, or when somebody marked the transaction for it.
     *
     * @throws RefusedCommitException if nothing of the work took effect because of what it did
     * @throws StoreException if the transaction could not begin, or its commit failed: then the outcome is unknown
     */
    <R> R run(ClaimStore.Work<Connection, R> work) throws Exception {
        TransactionStatus status = begin();
        Ending ending = new Ending();
        R result;
        try {
            TransactionSynchronizationManager.registerSynchronization(ending);
            result = work.run(DataSourceUtils.getConnection(dataSource));
            if (status.isRollbackOnly()) {
                // A commit would throw, or roll back silently, depending on who marked it.
                throw new RefusedCommitException(
                        "The transaction is marked for rollback: a @Transactional method within the handler threw and the"
                                + " exception was swallowed, or setRollbackOnly was called. Let the exception out, or give"
                                + " that method a transaction of its own",
                        null);
            }
        } catch (Throwable e) {
            rollback(status, e);
            throw e;
        }
        commit(status, ending);
        return result;
    }

    private TransactionStatus begin() {
        try {
            return manager.getTransaction(definition);
        } catch (RuntimeException e) {
            throw new StoreException("Could not begin a transaction for a consumer: " + e, e);
        }
    }

    private void rollback(TransactionStatus status, Throwable cause) {
        try {
            manager.rollback(status);
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }

    private void commit(TransactionStatus status, Ending ending) throws RefusedCommitException {
        try {
            manager.commit(status);
        } catch (StoreException e) {
            // Of an outbox that writes before the commit.
            SQLException refusal = sqlException(e);
            if (ending.status == TransactionSynchronization.STATUS_ROLLED_BACK
                    && refusal != null
                    && JdbcInbox.isRefusedCommit(refusal)) {
                throw refused(e);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            if (ending.status == TransactionSynchronization.STATUS_COMMITTED) {
                log.warn("What was to be done after the commit of a consumer's transaction failed", e);
                return;
            }
            SQLException refusal = sqlException(e);
            boolean unknown = refusal == null
                    ? ending.status == TransactionSynchronization.STATUS_UNKNOWN
                    : !JdbcInbox.isRefusedCommit(refusal);
            if (unknown) {
                throw new StoreException("The commit of a consumer's transaction failed: " + e, e);
            }
            throw refused(e);
        }
    }

    private static RefusedCommitException refused(Throwable cause) {
        return new RefusedCommitException("The commit was refused: " + cause, cause);
    }

    private static @Nullable SQLException sqlException(Throwable failure) {
        Throwable cause = failure;
        // Bounded, because causes may form a ring.
        for (int depth = 0; depth < DEEPEST && cause != null; depth++) {
            if (cause instanceof SQLException found) {
                return found;
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** Sees how a transaction ends. Used by its thread. */
    private static final class Ending implements TransactionSynchronization {
        private int status = STATUS_UNKNOWN;

        @Override
        public void afterCompletion(int ended) {
            status = ended;
        }
    }
}
