package dev.waybill.spring.inbox;

import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The tables that all consumers of an application share; they are made when the first consumer needs them. Immutable.
 *
 * @param dataSource what the application uses for its transactions
 * @param own        connections to the same database for what needs no transaction of the application's
 * @param config     where the tables are
 * @param migrate    whether they are created and upgraded
 * @param managers   the application's transaction managers, the usual one first; one of them is that of the data source, or there is none
 */
public record InboxTables(
        DataSource dataSource,
        DataSource own,
        JdbcStoreConfig config,
        boolean migrate,
        Supplier<List<PlatformTransactionManager>> managers) {

    JdbcOutboxStore openSiding() {
        JdbcOutboxStore siding = JdbcOutboxStore.create(own, config);
        if (migrate) {
            siding.migrate();
        }
        return siding;
    }

    SpringInbox inbox(JdbcOutboxStore siding) {
        return new SpringInbox(new JdbcInbox(dataSource, siding), transactions());
    }

    /** In an application without a transaction manager, JDBC within handlers still shares the transaction. */
    SpringTransactions transactions() {
        List<PlatformTransactionManager> candidates = managers.get();
        if (candidates.isEmpty()) {
            return new SpringTransactions(dataSource, new JdbcTransactionManager(dataSource));
        }
        for (PlatformTransactionManager manager : candidates) {
            SpringTransactions candidate = new SpringTransactions(dataSource, manager);
            if (candidate.match()) {
                return candidate;
            }
        }
        // With one of our own, what handlers do in theirs would commit apart from the record of the event.
        throw new InvalidHandlerException("None of the transaction managers of the application, " + names(candidates)
                + ", has the transactions of the data source that consumers use, with synchronization. Add a"
                + " transaction manager for that data source, for instance a JdbcTransactionManager bean; if there"
                + " are several data sources, name the one of your handlers first in waybill.data-sources.");
    }

    private static List<String> names(List<PlatformTransactionManager> managers) {
        return managers.stream()
                .map(manager -> manager.getClass().getSimpleName())
                .toList();
    }
}
