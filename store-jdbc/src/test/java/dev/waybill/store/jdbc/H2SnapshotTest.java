package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.Lease;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A scan is of one moment, although H2 needs several statements for it. */
class H2SnapshotTest {
    private static final Event EVENT =
            Event.to("orders").key("o-1").type("OrderPlaced").build();

    private final DataSource database = H2Databases.inMemory();
    private final AtomicReference<Runnable> betweenLeasesAndEntries = new AtomicReference<>();

    @Test
    void anEntryIsNotShownWithALeaseOfBeforeItsCommit() {
        JdbcOutboxStore.create(database, JdbcStoreConfig.defaults()).migrate();
        JdbcOutboxStore store = JdbcOutboxStore.create(interrupted(), JdbcStoreConfig.defaults());
        UUID relay = UUID.randomUUID();
        Lease lease = store.take(relay, Shards.COUNT, Duration.ofMinutes(1)).get(Shards.of(EVENT));
        ScanCursor cursor = new ScanCursor(lease.shard(), 0, 0, 10, 1000, Set.of());
        betweenLeasesAndEntries.set(() -> commitWithRewind(lease.shard()));

        ShardPage early = store.scan(relay, List.of(cursor)).pages().get(0);
        ShardPage late = store.scan(relay, List.of(cursor)).pages().get(0);

        assertThat(betweenLeasesAndEntries).hasNullValue();
        assertThat(early.lease().rewind()).isEqualTo(lease.rewind());
        assertThat(early.entries()).isEmpty();
        assertThat(late.lease().rewind()).isEqualTo(lease.rewind() + 1);
        assertThat(late.entries()).hasSize(1);
    }

    /** What a death at the consumer and the next event of its key do, or a redrive. */
    private void commitWithRewind(int shard) {
        Sql.unchecked(() -> {
            try (Connection writer = database.getConnection()) {
                writer.setAutoCommit(false);
                Sql.execute(writer, "UPDATE waybill_lease SET rewind = rewind + 1 WHERE shard = " + shard);
                JdbcOutboxStore.create(database, JdbcStoreConfig.defaults()).append(writer, List.of(EVENT), Set.of());
                writer.commit();
                return true;
            }
        });
    }

    private DataSource interrupted() {
        return proxy(
                DataSource.class,
                database,
                result -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, other -> other)
                        : result);
    }

    private interface After {
        Object answer(Object result);
    }

    private <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                H2SnapshotTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && String.valueOf(arguments[0]).contains("FROM waybill_outbox")) {
                        Runnable first = betweenLeasesAndEntries.getAndSet(null);
                        if (first != null) {
                            first.run();
                        }
                    }
                    try {
                        return after.answer(method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
