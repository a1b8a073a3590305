package dev.waybill.chaos.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.chaos.child.ConsumerRole;
import dev.waybill.chaos.journal.Intent;
import dev.waybill.chaos.journal.TransactionJournal;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.stage.Evidence;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions that publish and then stay open for long, while others commit. Used by one thread at a time. */
final class HeldTransactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeldTransactions.class);

    private final HikariDataSource pool;
    private final JdbcOutbox outbox;
    private final TransactionJournal journal;

    HeldTransactions(Pools.Target target, Path folder) throws IOException {
        pool = Pools.open(target, "chaos-held", 1);
        outbox = new JdbcOutbox(JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults()), OutboxConfig.defaults());
        journal = new TransactionJournal(folder.resolve(Evidence.heldJournal()));
    }

    /** Holds one for the length of the fault, then commits it; it need not live that long. */
    void hold(Fault fault) throws InterruptedException {
        // Below zero, where no writer's transaction is.
        long id = -fault.number();
        List<Event> events = Settings.DESTINATIONS.stream()
                .map(destination -> Event.to(destination)
                        .key("held-" + fault.number())
                        .type(ConsumerRole.EVENT_TYPE)
                        .build())
                .toList();
        boolean committing = false;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            journal.intend(
                    id,
                    events.stream()
                            .map(event -> new Intent(event.id(), event.destination(), event.key(), true))
                            .toList());
            try (PreparedStatement row = connection.prepareStatement("INSERT INTO booking (id) VALUES (?)")) {
                row.setLong(1, id);
                row.executeUpdate();
            }
            outbox.on(connection).publishAll(events);
            TimeUnit.MILLISECONDS.sleep(fault.length().toMillis());
            committing = true;
            connection.commit();
            journal.ended(id, Outcome.COMMITTED);
        } catch (SQLException | StoreException e) {
            // Without an end it is one that nobody knows.
            LOG.info("The held transaction did not live until its {}", committing ? "commit" : "end", e);
        }
    }

    @Override
    public void close() throws IOException {
        pool.close();
        journal.close();
    }
}
