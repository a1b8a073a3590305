package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.instance.OutboxInstanceRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Namastack outbox over JDBC, which promises at least once and the order of a key by the time at which the application
 * created its records.
 *
 * <p>It polls for keys with something to do, and gives each key to a thread, which loads all records of the key and
 * deletes each one after its call, with a commit of its own. Tuned: delete mode; a poll takes as many keys as there are,
 * because finding them costs the same for ten; a short fixed pause between polls, and threads for as many commits as
 * share a disk flush.
 *
 * <p>A process that only publishes has no part in the assignment of partitions: its context has schedulers that do
 * nothing. The context that delivers lives from start to stop.
 */
final class NamastackContender implements Contender {
    static final String NAME = "Namastack";

    private static final int THREADS = 16;
    private static final int BATCH = 1_000;
    private static final int POLLING_MILLIS = 5;
    private static final Map<String, Object> SETTINGS = Map.of(
            "namastack.outbox.polling.trigger",
            "fixed",
            "namastack.outbox.polling.fixed.interval",
            POLLING_MILLIS + "ms",
            "namastack.outbox.polling.batch-size",
            BATCH,
            "namastack.outbox.processing.delete-completed-records",
            "true",
            "namastack.outbox.processing.executor-core-pool-size",
            THREADS,
            "namastack.outbox.processing.executor-max-pool-size",
            THREADS,
            "namastack.outbox.multicaster.enabled",
            "false",
            "namastack.outbox.jdbc.schema-initialization.enabled",
            "true");

    private static final String COPY = """
            INSERT INTO outbox_record (id, status, record_key, record_type, payload, context, created_at, completed_at,
                failure_count, failure_reason, next_retry_at, partition_no, handler_id)
            SELECT gen_random_uuid()::text, s.status, s.record_key, s.record_type,
                replace(s.payload, m.sample_text, m.text), s.context,
                s.created_at + m.number * interval '1 microsecond', s.completed_at,
                s.failure_count, s.failure_reason, s.next_retry_at, s.partition_no, s.handler_id
            FROM sample s JOIN %s ON m.key = s.record_key
            """.formatted(Backlog.MESSAGES);

    private final Database database;
    private final TransactionTemplate transactions;
    private volatile @Nullable AnnotationConfigApplicationContext publishing;
    private @Nullable AnnotationConfigApplicationContext delivering;

    NamastackContender(Site site) {
        database = new Database(site, THREADS + 3);
        transactions = new TransactionTemplate(new JdbcTransactionManager(database.pool()));
    }

    @Override
    public String settings() {
        return "Namastack outbox " + Versions.of("namastack") + " on Spring Boot " + Versions.of("spring-boot")
                + ", JDBC, delete mode, polling every " + POLLING_MILLIS + " ms for " + BATCH + " keys, " + THREADS
                + " threads, " + database.settings();
    }

    @Override
    public void install() throws SQLException {
        stop();
        closePublishing();
        database.installPurchases();
        database.execute("DROP TABLE IF EXISTS outbox_record, outbox_instance, outbox_partition");
        outbox();
    }

    private Outbox outbox() {
        AnnotationConfigApplicationContext existing = publishing;
        return (existing == null ? makePublishing() : existing).getBean(Outbox.class);
    }

    private synchronized AnnotationConfigApplicationContext makePublishing() {
        AnnotationConfigApplicationContext made = publishing;
        if (made == null) {
            made = context(new NamastackHandler(null), true);
            made.getBean(OutboxInstanceRegistry.class).stop();
            publishing = made;
        }
        return made;
    }

    private AnnotationConfigApplicationContext context(NamastackHandler handler, boolean idle) {
        return Contexts.start(database.pool(), Contexts.WITHOUT_MODULITH, SETTINGS, beans -> {
            beans.register(NamastackHandler.Configuration.class);
            beans.registerBean("handler", NamastackHandler.class, () -> handler);
            if (idle) {
                beans.registerBean("outboxDefaultScheduler", TaskScheduler.class, IdleScheduler::new);
                beans.registerBean("outboxHeartbeatScheduler", TaskScheduler.class, IdleScheduler::new);
            }
        });
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) {
        Outbox outbox = outbox();
        transactions.executeWithoutResult(status -> {
            Contexts.inTransaction(database.pool(), connection -> Purchases.insert(connection, purchase));
            publish(outbox, messages);
        });
    }

    private static void publish(Outbox outbox, List<Message> messages) {
        for (Message message : messages) {
            outbox.schedule(new NamastackHandler.Happened(Text.of(message.payload())), message.key());
        }
    }

    /** One record of each key is published, because the library hashes keys to partitions. */
    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        int published = Math.min(keys, messages);
        List<Message> first = Backlog.messages(1, published, keys, payloadBytes);
        Outbox outbox = outbox();
        transactions.executeWithoutResult(status -> publish(outbox, first));
        Backlog.complete(database, "outbox_record", COPY, published, messages, keys, payloadBytes);
    }

    @Override
    public void start(Receiver receiver) {
        delivering = context(new NamastackHandler(receiver), false);
    }

    @Override
    public void stop() {
        AnnotationConfigApplicationContext ending = delivering;
        delivering = null;
        if (ending != null) {
            ending.close();
        }
    }

    private void closePublishing() {
        AnnotationConfigApplicationContext ending = publishing;
        publishing = null;
        if (ending != null) {
            ending.close();
        }
    }

    @Override
    public void close() {
        stop();
        closePublishing();
        database.close();
    }
}
