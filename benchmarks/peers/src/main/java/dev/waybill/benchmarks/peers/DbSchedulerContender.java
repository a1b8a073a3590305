package dev.waybill.benchmarks.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Db-scheduler with a one-time task for each event, due at once; it promises at least once, and no order among tasks.
 *
 * <p>Tuned as its documentation advises for more than 1,000 executions a second: lock-and-fetch, which claims a batch
 * with one statement; each execution then deletes its row with a commit of its own. Batches are large, so that the
 * threads never wait for the next one. After the commit the writer triggers a check, so that nobody waits for the
 * polling interval. The data of a task are the bytes of the payload, without a codec.
 */
final class DbSchedulerContender implements Contender {
    static final String NAME = "db-scheduler";

    private static final int THREADS = 32;
    private static final double LOWER = 2;
    private static final double UPPER = 8;
    private static final Duration POLLING = Duration.ofMillis(20);
    private static final int FILL_BATCH = 1_000;
    private static final TaskDescriptor<byte[]> DELIVER = TaskDescriptor.of("deliver", byte[].class);

    private static final String TABLE = """
            CREATE TABLE scheduled_tasks (
                task_name TEXT NOT NULL,
                task_instance TEXT NOT NULL,
                task_data BYTEA,
                execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
                picked BOOLEAN NOT NULL,
                picked_by TEXT,
                last_success TIMESTAMP WITH TIME ZONE,
                last_failure TIMESTAMP WITH TIME ZONE,
                consecutive_failures INT,
                last_heartbeat TIMESTAMP WITH TIME ZONE,
                version BIGINT NOT NULL,
                PRIMARY KEY (task_name, task_instance)
            )
            """;

    private final Database database;
    private final DataSource joining;
    private final TransactionTemplate transactions;
    private final SchedulerClient client;
    private volatile @Nullable Scheduler scheduler;

    DbSchedulerContender(Site site) {
        database = new Database(site, THREADS + 3);
        joining = new TransactionAwareDataSourceProxy(database.pool());
        transactions = new TransactionTemplate(new JdbcTransactionManager(database.pool()));
        client = SchedulerClient.Builder.create(joining).serializer(new Bytes()).build();
    }

    @Override
    public String settings() {
        return "db-scheduler " + Versions.of(NAME) + ", one-time tasks, lock-and-fetch " + LOWER + "/" + UPPER + " of "
                + THREADS + " threads, check triggered after commit, polling every " + POLLING.toMillis() + " ms, "
                + database.settings();
    }

    /** The table and the indexes of its documentation, without those for priorities, which are not used. */
    @Override
    public void install() throws SQLException {
        database.installPurchases();
        database.execute(
                "DROP TABLE IF EXISTS scheduled_tasks",
                TABLE,
                "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
                "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) {
        transactions.executeWithoutResult(status -> {
            Contexts.inTransaction(database.pool(), connection -> Purchases.insert(connection, purchase));
            schedule(messages);
        });
        Scheduler here = scheduler;
        if (here != null) {
            here.triggerCheckForDueExecutions();
        }
    }

    private void schedule(List<Message> messages) {
        Instant now = Instant.now();
        if (messages.size() == 1) {
            client.scheduleIfNotExists(instance(messages.get(0)), now);
        } else {
            client.scheduleBatch(
                    messages.stream()
                            .<TaskInstance<?>>map(DbSchedulerContender::instance)
                            .toList(),
                    now);
        }
    }

    /** A one-time task is known by its id: the key, for the receiver, and something that no other task has. */
    private static TaskInstance<byte[]> instance(Message message) {
        return DELIVER.instance(message.key() + "/" + UUID.randomUUID())
                .data(message.payload())
                .build();
    }

    private static String keyOf(String instance) {
        return instance.substring(0, instance.indexOf('/'));
    }

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        for (int first = 1; first <= messages; first += FILL_BATCH) {
            List<Message> batch =
                    Backlog.messages(first, Math.min(FILL_BATCH, messages - first + 1), keys, payloadBytes);
            transactions.executeWithoutResult(status -> schedule(batch));
        }
        database.settle("scheduled_tasks");
    }

    @Override
    public void start(Receiver receiver) {
        OneTimeTask<byte[]> deliver = Tasks.oneTime(DELIVER)
                .execute((instance, context) -> receiver.received(keyOf(instance.getId()), instance.getData()));
        Scheduler started = Scheduler.create(database.pool(), deliver)
                .schedulerName(new SchedulerName.Fixed("bench-" + UUID.randomUUID()))
                .serializer(new Bytes())
                .threads(THREADS)
                .pollUsingLockAndFetch(LOWER, UPPER)
                .pollingInterval(POLLING)
                .build();
        started.start();
        scheduler = started;
    }

    @Override
    public void stop() {
        Scheduler running = scheduler;
        scheduler = null;
        if (running != null) {
            running.stop();
        }
    }

    @Override
    public void close() {
        stop();
        database.close();
    }

    /** The data of a task are bytes already. */
    private static final class Bytes implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return (byte[]) data;
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] data) {
            return type.cast(data);
        }
    }
}
