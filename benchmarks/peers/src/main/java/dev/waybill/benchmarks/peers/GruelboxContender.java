package dev.waybill.benchmarks.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gruelbox transaction-outbox, which promises at least once and no order: the newest version that resolves has no
 * ordered topics yet.
 *
 * <p>An event is a call of an interface, stored as JSON; after the commit a thread of the same JVM takes the row (SELECT
 * FOR UPDATE SKIP LOCKED), calls, deletes and commits. What was not handed over, flush finds when its next attempt is
 * due, and first updates every row. Tuned: a large queue with as many threads as commits share a disk flush, flush in a
 * loop while the queue has room, and a short attempt frequency, so that a backlog does not wait for its turn.
 */
final class GruelboxContender implements Contender {
    static final String NAME = "gruelbox";

    private static final int FLUSH_BATCH = 1_000;
    private static final int FILL_BATCH = 1_000;

    /** Longer than a queue that flush filled needs, or flush would update what is still queued. */
    private static final Duration ATTEMPT_FREQUENCY = Duration.ofSeconds(2);

    private final Database database;
    private final TransactionManager transactions;
    private final Deliveries deliveries = new Deliveries();
    private volatile @Nullable TransactionOutbox outbox;
    private volatile @Nullable GruelboxWorkers workers;

    GruelboxContender(Site site) {
        database = new Database(site, GruelboxWorkers.THREADS + 2);
        transactions = TransactionManager.fromDataSource(database.pool());
    }

    /** What is called through the outbox. */
    interface Calls {
        void deliver(String key, String text);
    }

    private static final class Deliveries implements Calls {
        volatile @Nullable Receiver receiver;

        @Override
        public void deliver(String key, String text) {
            Receiver to = receiver;
            if (to == null) {
                throw new IllegalStateException("Not started: the entry is tried again later");
            }
            to.received(key, Text.toPayload(text));
        }
    }

    @Override
    public String settings() {
        return "gruelbox transaction-outbox " + Versions.of("gruelbox") + ", " + GruelboxWorkers.THREADS
                + " threads after commit, queue " + GruelboxWorkers.QUEUE + ", flush in a loop with batches of "
                + FLUSH_BATCH
                + ", attempt frequency " + ATTEMPT_FREQUENCY.toSeconds() + " s, " + database.settings();
    }

    @Override
    public void install() throws Exception {
        database.installPurchases();
        database.execute("DROP TABLE IF EXISTS txno_outbox, txno_version");
        outbox = null;
        outbox();
    }

    /** Made with the first use, because it migrates its tables at once. */
    private TransactionOutbox outbox() {
        TransactionOutbox made = outbox;
        return made == null ? makeOutbox() : made;
    }

    private synchronized TransactionOutbox makeOutbox() {
        TransactionOutbox made = outbox;
        if (made == null) {
            made = outbox(Clock.systemUTC());
            outbox = made;
        }
        return made;
    }

    private TransactionOutbox outbox(Clock clock) {
        return TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> deliveries))
                .submitter(submitter())
                .attemptFrequency(ATTEMPT_FREQUENCY)
                .flushBatchSize(FLUSH_BATCH)
                .serializeMdc(false)
                .clockProvider(() -> clock)
                .build();
    }

    /** A JVM that does not deliver leaves the rows to flush. */
    private Submitter submitter() {
        return (entry, process) -> {
            GruelboxWorkers running = workers;
            if (running != null) {
                running.submit(() -> process.accept(entry));
            }
        };
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) throws Exception {
        TransactionOutbox to = outbox();
        transactions.inTransactionThrows(transaction -> {
            Purchases.insert(transaction.connection(), purchase);
            publish(to, messages);
        });
    }

    private static void publish(TransactionOutbox outbox, List<Message> messages) {
        Calls calls = outbox.schedule(Calls.class);
        for (Message message : messages) {
            calls.deliver(message.key(), Text.of(message.payload()));
        }
    }

    /** Published an hour ago: what flush takes at once. */
    @Override
    public void fill(int messages, int keys, int payloadBytes) throws Exception {
        TransactionOutbox past = outbox(Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)));
        for (int first = 1; first <= messages; first += FILL_BATCH) {
            List<Message> batch =
                    Backlog.messages(first, Math.min(FILL_BATCH, messages - first + 1), keys, payloadBytes);
            transactions.inTransaction(transaction -> publish(past, batch));
        }
        database.settle("txno_outbox");
    }

    @Override
    public void start(Receiver receiver) {
        deliveries.receiver = receiver;
        workers = new GruelboxWorkers(outbox(), FLUSH_BATCH);
    }

    @Override
    public void stop() {
        GruelboxWorkers running = workers;
        workers = null;
        if (running != null) {
            running.stop();
        }
    }

    @Override
    public void close() {
        stop();
        database.close();
    }
}
