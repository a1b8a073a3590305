package dev.waybill.spring.tests;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Callbacks of the current transaction, as applications register them. */
final class Callbacks {

    private Callbacks() {}

    static void beforeCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                callback.run();
            }
        });
    }

    static void beforeCompletion(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                callback.run();
            }
        });
    }

    static void afterCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }

            @Override
            public void afterCommit() {
                callback.run();
            }
        });
    }

    static void afterCompletion(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                callback.run();
            }
        });
    }

    static PlatformTransactionManager managerThatIsNoBean(Publishing app) {
        return new DataSourceTransactionManager(app.unit().dataSource());
    }
}
