package dev.waybill.chaos.child;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.chaos.journal.TransactionJournal;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.store.jdbc.PostgresNotifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Writes transactions with events, on a few threads, until it is told to end. */
public final class WriterRole implements AutoCloseable {
    public static final String NAME = "writer";
    /** Of one process. */
    public static final int THREADS = 3;

    private static final long TRANSACTIONS_PER_THREAD = 1L << 32;

    private final HikariDataSource pool;
    private final TransactionJournal journal;
    private final @Nullable PostgresNotifier notifier;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private WriterRole(HikariDataSource pool, TransactionJournal journal, @Nullable PostgresNotifier notifier) {
        this.pool = pool;
        this.journal = journal;
        this.notifier = notifier;
    }

    static WriterRole open(Arguments arguments) throws IOException {
        HikariDataSource pool = Connections.open(arguments, THREADS + 1);
        JdbcStoreConfig config = JdbcStoreConfig.defaults();
        JdbcOutbox outbox = new JdbcOutbox(JdbcOutboxStore.create(pool, config), OutboxConfig.defaults());
        PostgresNotifier notifier = Connections.isPostgres(arguments) ? PostgresNotifier.start(pool, config) : null;
        if (notifier != null) {
            outbox.afterCommit(notifier);
        }
        TransactionJournal journal = new TransactionJournal(arguments.path("journal"));
        WriterRole role = new WriterRole(pool, journal, notifier);
        long writer = arguments.number("writer");
        long seed = arguments.number("seed");
        double rate = arguments.number("rate") / (double) THREADS;
        for (int i = 0; i < THREADS; i++) {
            long number = arguments.number("incarnation") * THREADS + i;
            Drafts drafts = new Drafts(seed * 31 + number, "w" + writer + "t" + i);
            Writing writing =
                    new Writing(pool, outbox, journal, drafts, number * TRANSACTIONS_PER_THREAD, rate, role.stopped);
            Thread thread = new Thread(writing, "writer-" + i);
            thread.setDaemon(true);
            role.threads.add(thread);
            thread.start();
        }
        return role;
    }

    @Override
    public void close() throws IOException {
        stopped.set(true);
        threads.forEach(WriterRole::awaitEnd);
        if (notifier != null) {
            notifier.close();
        }
        pool.close();
        journal.close();
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
