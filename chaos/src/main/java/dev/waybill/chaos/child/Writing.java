package dev.waybill.chaos.child;

import dev.waybill.WaybillException;
import dev.waybill.chaos.child.Drafts.Draft;
import dev.waybill.chaos.journal.Intent;
import dev.waybill.chaos.journal.TransactionJournal;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a writer: a transaction after the other, at a rate. */
final class Writing implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writing.class);
    private static final long PAUSE_AFTER_FAILURE = Duration.ofMillis(200).toNanos();
    /** What was not written during an outage is made up for, up to this. */
    private static final long LONGEST_ARREARS = Duration.ofSeconds(3).toNanos();

    private final DataSource dataSource;
    private final JdbcOutbox outbox;
    private final TransactionJournal journal;
    private final Drafts drafts;
    private final double rate;
    private final AtomicBoolean stopped;
    private long transaction;

    Writing(
            DataSource dataSource,
            JdbcOutbox outbox,
            TransactionJournal journal,
            Drafts drafts,
            long firstTransaction,
            double rate,
            AtomicBoolean stopped) {
        this.dataSource = dataSource;
        this.outbox = outbox;
        this.journal = journal;
        this.drafts = drafts;
        this.transaction = firstTransaction;
        this.rate = rate;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        long due = System.nanoTime();
        while (!stopped.get()) {
            Draft draft = drafts.next();
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                write(connection, draft);
            } catch (SQLException e) {
                LOG.debug("No transaction", e);
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE);
            }
            due = Math.max(due, System.nanoTime() - LONGEST_ARREARS)
                    + (long) (draft.committed() / rate * TimeUnit.SECONDS.toNanos(1));
            LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
        }
    }

    private void write(Connection connection, Draft draft) throws SQLException {
        long id = ++transaction;
        journal.intend(id, intents(draft));
        try {
            insert(connection, id, draft);
        } catch (SQLException | WaybillException e) {
            // Nobody has asked for a commit, and nobody will.
            journal.ended(id, Outcome.ABORTED);
            throw e instanceof SQLException failure ? failure : new SQLException(e);
        }
        if (draft.rollsBack()) {
            journal.ended(id, Outcome.ABORTED);
            connection.rollback();
            return;
        }
        try {
            connection.commit();
        } catch (SQLException e) {
            journal.ended(id, Outcome.UNKNOWN);
            throw e;
        }
        journal.ended(id, Outcome.COMMITTED);
        outbox.signal();
    }

    private void insert(Connection connection, long id, Draft draft) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO booking (id) VALUES (?)")) {
            row.setLong(1, id);
            row.executeUpdate();
        }
        Outbox joined = outbox.on(connection);
        joined.publishAll(draft.events().subList(0, draft.kept()));
        if (draft.hasSavepoint()) {
            Savepoint savepoint = connection.setSavepoint();
            joined.publishAll(
                    draft.events().subList(draft.kept(), draft.events().size()));
            connection.rollback(savepoint);
            joined.publishAll(draft.more());
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(draft.pauseMillis()));
    }

    private static List<Intent> intents(Draft draft) {
        List<Intent> intents = new ArrayList<>();
        for (int i = 0; i < draft.events().size(); i++) {
            intents.add(intent(draft.events().get(i), i < draft.kept()));
        }
        draft.more().forEach(event -> intents.add(intent(event, true)));
        return intents;
    }

    private static Intent intent(Event event, boolean kept) {
        return new Intent(event.id(), event.destination(), event.key(), kept);
    }
}
