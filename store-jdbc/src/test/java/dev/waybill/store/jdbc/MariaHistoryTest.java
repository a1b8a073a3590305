package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps and replays MariaDB's history is in nobody's way, and scans know about it. */
class MariaHistoryTest {
    private static final int FAST = 1_000_000;

    private final DataSource database = EmbeddedDatabases.mariadb();
    private final FrozenBeforeCommit frozen = new FrozenBeforeCommit(database);
    private final StoreRig rig = new StoreRig(database, unhurried(database));
    private final JdbcOutboxStore frozenStore = unhurried(frozen.dataSource());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private static JdbcOutboxStore unhurried(DataSource database) {
        return JdbcOutboxStore.create(database, JdbcStoreConfig.defaults(), Duration.ofMillis(1));
    }

    @AfterEach
    void stop() throws InterruptedException {
        frozen.thaw();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aSettleDoesNotWaitForTheRemovalOfOldDeliveries() throws Exception {
        rig.publish(StoreRig.events(50));
        rig.settleAll();
        Sql.execute(database, "UPDATE waybill_history SET delivered_at = UTC_TIMESTAMP(6) - INTERVAL 2 DAY");
        rig.publish(StoreRig.events(20));
        Future<Integer> cleaning = threads.submit(frozenStore::clean);
        frozen.awaitFrozen();

        inTime(() -> {
            rig.settleAll();
            return true;
        });

        frozen.thaw();
        assertThat(cleaning.get()).isEqualTo(50);
        assertThat(rig.count("history")).isEqualTo(20);
    }

    @Test
    void aStepOfAReplayThatIsOpenIsListedAsAWriterAndHoldsUpNobody() throws Exception {
        rig.publish(StoreRig.events(30));
        rig.settleAll();
        Replay replay = rig.store
                .replays()
                .start(
                        UUID.randomUUID(),
                        ReplayFilter.between(Instant.EPOCH, Instant.now().plusSeconds(60)),
                        FAST,
                        StoreRig.TESTER);
        assertThat(writers()).isEmpty();
        Future<Integer> stepping = threads.submit(frozenStore::advanceReplays);
        frozen.awaitFrozen();

        assertThat(writers()).hasSize(1);
        assertThat(rig.outbox()).isEmpty();
        inTime(() -> {
            rig.publish(StoreRig.events(10));
            rig.settleAll();
            return true;
        });

        frozen.thaw();
        assertThat(stepping.get()).isEqualTo(30);
        assertThat(writers()).isEmpty();
        assertThat(rig.outbox()).hasSize(30).allMatch(entry -> entry.replay() == replay.generation());
    }

    private Set<String> writers() {
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 10, Long.MAX_VALUE, Set.of()))
                .toList();
        return rig.store.scan(UUID.randomUUID(), cursors).writers();
    }

    private <T> T inTime(Callable<T> task) throws Exception {
        return threads.submit(task).get(4, TimeUnit.SECONDS);
    }
}
