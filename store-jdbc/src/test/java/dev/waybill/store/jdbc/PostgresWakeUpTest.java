package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.store.ShardSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresWakeUpTest {
    private static final JdbcStoreConfig CONFIG = JdbcStoreConfig.defaults();
    private static final String LISTENERS =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()";

    private final DataSource database = EmbeddedDatabases.postgres18();
    private final AtomicInteger calls = new AtomicInteger();

    private final List<AutoCloseable> started = new ArrayList<>();

    @AfterEach
    void stopAll() throws Exception {
        for (AutoCloseable one : started) {
            one.close();
        }
        await().until(() -> Sql.number(database, LISTENERS) == 0);
    }

    @Test
    void aNotificationOfAnotherProcessWakesTheListener() {
        listen(database, CONFIG, calls);
        PostgresNotifier notifier = notifier(database, CONFIG);

        notifier.onCommit(ShardSet.ALL);

        await().until(() -> calls.get() == 2);
    }

    @Test
    void aNotificationTellsTheShardsOfAllCommitsThatItCovers() {
        Queue<ShardSet> told = new ConcurrentLinkedQueue<>();
        started.add(PostgresListener.start(database, CONFIG, told::add));
        await().until(() -> told.size() == 1);
        PostgresNotifier notifier = notifier(database, CONFIG);

        notifier.onCommit(new ShardSet(0b01));
        notifier.onCommit(new ShardSet(0b10));
        notifier.onCommit(new ShardSet(Long.MIN_VALUE));

        await().until(() ->
                told.stream().skip(1).reduce(ShardSet.NONE, ShardSet::union).bits() == (Long.MIN_VALUE | 0b11));
    }

    @Test
    void aNotificationThatIsNoneOfOursWakesForAllShards() {
        Queue<ShardSet> told = new ConcurrentLinkedQueue<>();
        started.add(PostgresListener.start(database, CONFIG, told::add));
        await().until(() -> told.size() == 1);

        for (String message : List.of("", "0", "-1", "hello", "fffffffffffffffff", "x".repeat(7_000))) {
            told.clear();
            Sql.execute(database, "SELECT pg_notify('waybill_outbox', '" + message + "')");
            await().until(() -> told.contains(ShardSet.ALL));
        }
    }

    @Test
    void manyCallsBecomeFewNotifications() {
        listen(database, CONFIG, calls);
        PostgresNotifier notifier = notifier(database, CONFIG);

        long begin = System.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            notifier.onCommit(ShardSet.ALL);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        await().until(() -> calls.get() > 1);
        assertThat(calls.get()).isLessThan(10 + (int) (took.toMillis() / 5));
    }

    @Test
    void anotherPrefixIsAnotherChannel() {
        AtomicInteger others = new AtomicInteger();
        JdbcStoreConfig other = CONFIG.withTablePrefix("other_");
        listen(database, CONFIG, calls);
        listen(database, other, others);

        notifier(database, other).onCommit(ShardSet.ALL);

        await().until(() -> others.get() == 2);
        assertThat(calls).hasValue(1);
    }

    @Test
    void afterALostConnectionTheListenerIsCalledOnceAndListensAgain() {
        listen(database, CONFIG, calls);
        await().until(() -> Sql.number(database, LISTENERS) == 1);

        Sql.execute(
                database,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                        + " AND datname = current_database()");

        await().until(() -> calls.get() == 2);
        notifier(database, CONFIG).onCommit(ShardSet.ALL);
        await().until(() -> calls.get() == 3);
    }

    @Test
    void aNotifierSurvivesADatabaseThatIsAway() {
        PGSimpleDataSource flaky = copyOf((PGSimpleDataSource) database);
        int port = flaky.getPortNumbers()[0];
        listen(database, CONFIG, calls);
        PostgresNotifier notifier = notifier(flaky, CONFIG);
        flaky.setPortNumbers(new int[] {1});
        notifier.onCommit(ShardSet.ALL);
        notifier.onCommit(ShardSet.ALL);
        flaky.setPortNumbers(new int[] {port});

        await().until(() -> calls.get() >= 2);
    }

    /** Starts a listener and returns once it listens. */
    private void listen(DataSource dataSource, JdbcStoreConfig config, AtomicInteger counter) {
        started.add(PostgresListener.start(dataSource, config, shards -> counter.incrementAndGet()));
        await().until(() -> counter.get() == 1);
    }

    private PostgresNotifier notifier(DataSource dataSource, JdbcStoreConfig config) {
        PostgresNotifier notifier = PostgresNotifier.start(dataSource, config);
        started.add(notifier);
        return notifier;
    }

    private static PGSimpleDataSource copyOf(PGSimpleDataSource dataSource) {
        PGSimpleDataSource copy = new PGSimpleDataSource();
        copy.setUrl(dataSource.getUrl());
        copy.setUser(dataSource.getUser());
        return copy;
    }

    @Test
    void aChannelNameAlwaysFits() {
        assertThat(PostgresChannel.of(CONFIG)).isEqualTo("waybill_outbox");
        assertThat(PostgresChannel.of(CONFIG.withSchema("Shop"))).isEqualTo("shop.waybill_outbox");
        String one = PostgresChannel.of(CONFIG.withSchema("s".repeat(63)));
        String other = PostgresChannel.of(CONFIG.withSchema("s".repeat(63)).withTablePrefix("w_"));
        assertThat(one).hasSize(63).isNotEqualTo(other);
    }
}
