package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry over JDBC, which promises at least once and no order.
 *
 * <p>The registry stores an event for a transactional listener; after the commit a thread of the same JVM marks it as
 * being processed, calls the listener and completes it, each with a commit of its own. A backlog is resubmitted by the
 * application: loaded as a whole, and marked row by row by the thread that asked for it. Tuned: completed publications
 * are deleted; the asynchronous listener has threads of its own and no transaction, which a call that writes nothing
 * does not need; several threads resubmit, each a part of the ids, which more than doubles the rate of a drain.
 */
final class ModulithContender implements Contender {
    static final String NAME = "Spring Modulith";

    private static final int THREADS = 16;
    private static final int RESUBMITTERS = 4;
    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.modulith.events.completion-mode", "delete",
            "spring.modulith.events.jdbc.schema-initialization.enabled", "true",
            "spring.modulith.events.externalization.enabled", "false");

    private static final String COPY = """
            INSERT INTO event_publication (id, listener_id, event_type, serialized_event, publication_date, status,
                completion_attempts, last_resubmission_date)
            SELECT gen_random_uuid(), s.listener_id, s.event_type,
                replace(replace(s.serialized_event, m.sample_text, m.text),
                    '"' || m.sample_key || '"', '"' || m.key || '"'),
                s.publication_date, s.status, s.completion_attempts, s.last_resubmission_date
            FROM sample s, %s
            """.formatted(Backlog.MESSAGES);

    private final Database database;
    private final TransactionTemplate transactions;
    private final ModulithListener.Gate gate = new ModulithListener.Gate();
    private volatile @Nullable AnnotationConfigApplicationContext context;
    private volatile boolean resubmits;
    private @Nullable ExecutorService listening;
    private @Nullable ExecutorService resubmitting;

    ModulithContender(Site site) {
        database = new Database(site, THREADS + RESUBMITTERS + 1);
        transactions = new TransactionTemplate(new JdbcTransactionManager(database.pool()));
    }

    @Override
    public String settings() {
        return "Spring Modulith " + Versions.of("modulith") + " on Spring Boot " + Versions.of("spring-boot")
                + ", JDBC registry, completion mode delete, asynchronous listener without transaction on " + THREADS
                + " threads, a backlog is resubmitted by " + RESUBMITTERS + " threads, " + database.settings();
    }

    /**
     * A new context, because the registry remembers in memory what was published and not delivered. The one before is
     * not closed: it would load and log all of that.
     */
    @Override
    public void install() throws SQLException {
        database.installPurchases();
        database.execute("DROP TABLE IF EXISTS event_publication");
        context = newContext();
    }

    private AnnotationConfigApplicationContext context() {
        AnnotationConfigApplicationContext existing = context;
        return existing == null ? makeContext() : existing;
    }

    private synchronized AnnotationConfigApplicationContext makeContext() {
        AnnotationConfigApplicationContext made = context;
        if (made == null) {
            made = newContext();
            context = made;
        }
        return made;
    }

    private AnnotationConfigApplicationContext newContext() {
        return Contexts.start(database.pool(), Contexts.WITHOUT_NAMASTACK, SETTINGS, beans -> {
            beans.register(ModulithListener.Configuration.class);
            beans.registerBean("taskExecutor", ModulithListener.Gate.class, () -> gate);
        });
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) {
        AnnotationConfigApplicationContext publisher = context();
        transactions.executeWithoutResult(status -> {
            Contexts.inTransaction(database.pool(), connection -> Purchases.insert(connection, purchase));
            publish(publisher, messages);
        });
    }

    private static void publish(AnnotationConfigApplicationContext publisher, List<Message> messages) {
        for (Message message : messages) {
            publisher.publishEvent(new ModulithListener.Happened(message.key(), Text.of(message.payload())));
        }
    }

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        List<Message> first = Backlog.messages(1, 1, keys, payloadBytes);
        transactions.executeWithoutResult(status -> publish(context(), first));
        Backlog.complete(database, "event_publication", COPY, 1, messages, keys, payloadBytes);
    }

    @Override
    public void start(Receiver receiver) {
        AnnotationConfigApplicationContext delivering = context();
        listening = Executors.newFixedThreadPool(THREADS, Threads.daemons("modulith"));
        gate.open(listening, receiver);
        resubmits = true;
        Instant started = Instant.now();
        ExecutorService threads = Executors.newFixedThreadPool(RESUBMITTERS, Threads.daemons("modulith-resubmit"));
        resubmitting = threads;
        for (int i = 0; i < RESUBMITTERS; i++) {
            int part = i;
            threads.execute(() -> delivering
                    .getBean(IncompleteEventPublications.class)
                    .resubmitIncompletePublications(publication -> resubmits
                            && Math.floorMod(publication.getIdentifier().hashCode(), RESUBMITTERS) == part
                            && publication.getPublicationDate().isBefore(started)));
        }
    }

    /** What was resubmitted is delivered first: as resubmitted, no later start would find it. */
    @Override
    public void stop() {
        resubmits = false;
        end(resubmitting);
        gate.close();
        end(listening);
        resubmitting = null;
        listening = null;
    }

    private static void end(@Nullable ExecutorService threads) {
        if (threads != null) {
            threads.shutdown();
            Threads.await(threads);
        }
    }

    @Override
    public void close() {
        stop();
        database.close();
    }
}
