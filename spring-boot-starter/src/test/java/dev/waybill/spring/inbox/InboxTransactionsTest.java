package dev.waybill.spring.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spring.EventHandler;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class InboxTransactionsTest {
    private final DataSource orders = database();
    private final PlatformTransactionManager ofOrders = new JdbcTransactionManager(orders);
    private final PlatformTransactionManager ofBilling = new JdbcTransactionManager(database());

    /** As of something that is out of reach. */
    private final PlatformTransactionManager unreachable = new JdbcTransactionManager(database()) {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            throw new CannotCreateTransactionException("nobody is there");
        }
    };

    @Test
    void theFirstManagerOfTheDataSourceIsTakenAndOneThatCannotBeginIsPassedOver() {
        PlatformTransactionManager another = new JdbcTransactionManager(orders);
        assertThat(tables(unreachable, ofBilling, ofOrders, another)
                        .transactions()
                        .manager())
                .isSameAs(ofOrders);
    }

    @Test
    void managersOfOtherDataSourcesOnlyFailTheStartWithAdvice() {
        assertThatThrownBy(() -> tables(unreachable, ofBilling).transactions())
                .isInstanceOf(InvalidHandlerException.class)
                .hasMessageContainingAll("JdbcTransactionManager", "waybill.data-sources");
    }

    @Test
    void withoutAnyManagerTheInboxHasItsOwn() {
        assertThat(tables().transactions().match()).isTrue();
    }

    @Test
    void whatTheDatabaseRefusesOfWhatIsWrittenBeforeTheCommitIsAFailureOfTheEvent() {
        SQLException duplicate = new SQLException("unique", "23505");
        assertThatThrownBy(() -> failingBeforeCommit(new StoreException("not stored", duplicate)))
                .isInstanceOf(RefusedCommitException.class)
                .hasMessageContaining("not stored");
        SQLException lost = new SQLException("connection lost", "08006");
        assertThatThrownBy(() -> failingBeforeCommit(new StoreException("not stored", lost)))
                .isInstanceOf(StoreException.class);
    }

    private void failingBeforeCommit(StoreException failure) throws Exception {
        new SpringTransactions(orders, ofOrders).run(connection -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw failure;
                }
            });
            return "done";
        });
    }

    record Placed(String id) {}

    static class Named {
        @EventHandler(consumer = "a")
        @Transactional("billing")
        void on(Placed placed) {}
    }

    static class Unknown {
        @EventHandler(consumer = "a")
        @Transactional("nobody")
        void on(Placed placed) {}
    }

    @Transactional(transactionManager = "billing")
    static class NamedByTheClass {
        @EventHandler(consumer = "a")
        void on(Placed placed) {}
    }

    @Transactional("billing")
    static class Leased {
        @EventHandler(consumer = "a", leased = true)
        void on(Placed placed) {}
    }

    @Test
    void aHandlerOfAnotherTransactionManagerThanTheInboxIsRefused() {
        requireManager(Named.class, ofBilling);
        requireManager(Leased.class, ofOrders);
        for (Class<?> refused : List.of(Named.class, NamedByTheClass.class, Unknown.class)) {
            assertThatThrownBy(() -> requireManager(refused, ofOrders))
                    .isInstanceOf(InvalidHandlerException.class)
                    .hasMessageContainingAll(refused.getSimpleName() + ".on()", "leave the name out");
        }
    }

    private void requireManager(Class<?> handler, PlatformTransactionManager ofConsumers) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("orders", ofOrders);
        beans.registerSingleton("billing", ofBilling);
        beans.registerBeanDefinition("handler", new RootBeanDefinition(handler));
        new HandlerScan(beans).find().forEach(found -> HandlerTransactions.requireManager(beans, found, ofConsumers));
    }

    private InboxTables tables(PlatformTransactionManager... managers) {
        return new InboxTables(orders, orders, JdbcStoreConfig.defaults(), true, () -> List.of(managers));
    }

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }
}
