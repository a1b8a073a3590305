package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.store.ShardSet;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many commits at once, told together: each by a NOTIFY that comes after it, also if one of those fails. */
class PostgresNotifierStressTest {
    private static final int THREADS = 4;
    private static final int COMMITS = 20_000;

    /** How often each shard was told. */
    private final AtomicLongArray told = new AtomicLongArray(64);

    private final AtomicInteger messages = new AtomicInteger();

    /** How often a shard had been told when somebody committed to it. */
    private record Commit(int shard, long before) {}

    @Test
    void everyCommitIsToldAfterItHappened() throws Exception {
        Queue<Commit> commits = new ConcurrentLinkedQueue<>();
        ExecutorService publishers = Executors.newFixedThreadPool(THREADS);
        try (PostgresNotifier notifier = PostgresNotifier.start(dataSource(), JdbcStoreConfig.defaults())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                running.add(publishers.submit(() -> {
                    for (int n = 0; n < COMMITS; n++) {
                        int shard = random.nextInt(64);
                        commits.add(new Commit(shard, told.get(shard)));
                        notifier.onCommit(new ShardSet(1L << shard));
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> commits.stream().allMatch(commit -> told.get(commit.shard()) > commit.before()));
            assertThat(messages.get()).isLessThan(THREADS * COMMITS / 10);
        } finally {
            publishers.shutdownNow();
        }
    }

    private DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> connection());
    }

    private Connection connection() {
        return proxy(Connection.class, (method, arguments) -> switch (method) {
            case "prepareStatement" -> statement();
            case "getAutoCommit" -> true;
            case "getNetworkTimeout" -> 0;
            default -> null;
        });
    }

    private PreparedStatement statement() {
        String[] message = {""};
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.equals("setString") && arguments[0].equals(2)) {
                message[0] = (String) arguments[1];
            }
            return method.equals("execute") ? tell(message[0]) : null;
        });
    }

    private boolean tell(String message) throws SQLException {
        if (messages.incrementAndGet() == 3) {
            throw new SQLException("The server went away");
        }
        ShardSet shards = PostgresChannel.read(message);
        for (int shard = 0; shard < told.length(); shard++) {
            if (shards.contains(shard)) {
                told.incrementAndGet(shard);
            }
        }
        return true;
    }

    private interface Answer {
        @Nullable
        Object to(String method, Object[] arguments) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }
}
