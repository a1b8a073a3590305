package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxKey;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a relay reads on MariaDB is bounded by its limits, whatever lies in the tables and whatever the optimizer knows about
 * them. Counted by the server, as the rows that its handlers were asked for.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class MariaPlanTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final int ROWS = 30_000;
    private static final int BATCH = 1_000;
    // Slots, leases, and what the optimizer looks up to choose a plan.
    private static final int FIXED = 1_500;

    private final DataSource database = EmbeddedDatabases.mariadb();
    private final Connection connection;
    private final boolean analysed;
    private final JdbcOutboxStore store;

    MariaPlanTest(boolean analysed) throws SQLException {
        this.analysed = analysed;
        JdbcOutboxStore.create(database, JdbcStoreConfig.defaults()).migrate();
        // What the optimizer knows stays what the test says: that the table is empty, or how it really is.
        Sql.execute(database, "ALTER TABLE waybill_outbox STATS_AUTO_RECALC = 0, STATS_PERSISTENT = 1");
        Sql.execute(database, "ANALYZE TABLE waybill_outbox");
        fill();
        if (analysed) {
            Sql.execute(database, "ANALYZE TABLE waybill_outbox");
        }
        OneConnection pool = OneConnection.of(database);
        connection = pool.connection();
        store = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void aScanReadsItsLimit() throws SQLException {
        assertThat(rowsRead(() -> store.scan(RELAY, cursors(0, 0, 100)))).isLessThanOrEqualTo(2 * 64 * 101 + FIXED);
        assertThat(rowsRead(() -> store.scan(RELAY, List.of(cursor(7, 0, 0, 200)))))
                .isLessThanOrEqualTo(2 * 201 + FIXED);
        assertThat(rowsRead(() -> store.scan(RELAY, cursors(10_000, 12_000, 10))))
                .isLessThanOrEqualTo(2_000 + 2 * 64 * 11 + FIXED);
    }

    @Test
    void aScanAfterMassDeletesReadsItsLimit() throws SQLException {
        Sql.execute(database, "DELETE FROM waybill_outbox WHERE seq <= 20000");

        assertThat(rowsRead(() -> store.scan(RELAY, cursors(20_000, 20_000, 10))))
                .isLessThanOrEqualTo(2 * 64 * 11 + FIXED);
    }

    @Test
    void lanesKeysEntriesAndWhatIsDueAreReadByIndex() throws SQLException {
        LaneCursor lane = new LaneCursor(7, "nobody", 0, 10, Long.MAX_VALUE);
        assertThat(rowsRead(() -> store.readLanes(List.of(lane)))).isLessThanOrEqualTo(44 + FIXED);
        List<OrderKey> keys = IntStream.range(0, 50)
                .mapToObj(i -> new OrderKey("orders", "k-" + i))
                .toList();
        List<KeyCursor> stretches = keys.stream()
                .map(key -> new KeyCursor(key, 10_001, 10_000 + 64 * 20))
                .toList();
        // What the shard of each has between the two marks.
        assertThat(rowsRead(() -> store.readKeys(stretches, 5))).isLessThanOrEqualTo(50 * (20 + 1) + FIXED);
        List<Long> sequences = IntStream.range(0, 300).mapToObj(i -> 64L * i).toList();
        assertThat(rowsRead(() -> store.readEntries(7, sequences))).isLessThanOrEqualTo(2 * 300 + FIXED);
        Set<Integer> shards =
                Set.copyOf(IntStream.range(0, Shards.COUNT).boxed().toList());
        assertThat(rowsRead(() -> store.readDue(shards, DueCursor.START, 100))).isLessThanOrEqualTo(64 + FIXED);
    }

    @Test
    void aSettleReadsOnlyWhatItSettles() throws SQLException {
        List<Lease> leases = store.take(RELAY, Shards.COUNT, Duration.ofMinutes(5));
        List<Entry> entries = store.scan(RELAY, cursors(0, 0, 16)).pages().stream()
                .flatMap(page -> page.entries().stream())
                .limit(BATCH)
                .toList();
        assertThat(entries).hasSize(BATCH);
        List<Outcome> delivered = entries.stream()
                .<Outcome>map(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()))
                .toList();
        List<Outcome> retried = entries.stream()
                .<Outcome>map(entry -> new Outcome.Retried(entry.shard(), entry.sequence(), Duration.ZERO, "no"))
                .toList();

        assertThat(rowsRead(() -> store.settle(RELAY, leases, retried))).isLessThanOrEqualTo(5 * BATCH + FIXED);
        assertThat(rowsRead(() -> store.settle(RELAY, leases, delivered))).isLessThanOrEqualTo(4 * BATCH + FIXED);

        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox")).isEqualTo(ROWS - BATCH);
    }

    @Test
    void aStepOfAReplayAndTheRemovalOfOldDeliveriesReadOnlyTheirPart() throws SQLException {
        int deliveries = 100_000;
        Sql.execute(database, "ALTER TABLE waybill_history STATS_AUTO_RECALC = 0, STATS_PERSISTENT = 1");
        Sql.execute(database, "ANALYZE TABLE waybill_history");
        Sql.execute(database, """
                INSERT INTO waybill_history (seq, shard, id, destination, event_key, type, version, content_type, payload,
                    occurred_at, attempts, delivered_at)
                SELECT seq, seq MOD 64, UUID(), 'orders', 'k', 'T', 1, 'text/plain', REPEAT('x', 300), UTC_TIMESTAMP(6), 0,
                    UTC_TIMESTAMP(6) - INTERVAL (200000 - seq DIV 100) SECOND
                FROM seq_1_to_%d
                """.formatted(deliveries));
        if (analysed) {
            Sql.execute(database, "ANALYZE TABLE waybill_history");
        }
        store.replays()
                .start(
                        UUID.randomUUID(),
                        ReplayFilter.between(Instant.EPOCH, Instant.now()),
                        1_000_000,
                        StoreRig.TESTER);

        // It looks at 20,000 and copies 5,000 of them.
        assertThat(rowsRead(() -> assertThat(store.advanceReplays()).isPositive()))
                .isLessThanOrEqualTo(3 * 20_000 + 3 * 5_000 + FIXED);
        assertThat(rowsRead(() -> assertThat(store.advanceReplays()).isPositive()))
                .isLessThanOrEqualTo(3 * 20_000 + 3 * 5_000 + FIXED);
        store.replays().list(1).forEach(replay -> store.replays().cancel(replay.generation(), StoreRig.TESTER));
        assertThat(rowsRead(() -> assertThat(store.clean()).isEqualTo(BATCH))).isLessThanOrEqualTo(4 * BATCH + FIXED);
    }

    @Test
    void aConsumerReadsOnlyWhatItAsksFor() throws Exception {
        Sql.execute(database, "ALTER TABLE waybill_processed STATS_AUTO_RECALC = 0, STATS_PERSISTENT = 1");
        Sql.execute(database, "ANALYZE TABLE waybill_processed");
        Sql.execute(database, """
                INSERT INTO waybill_processed (consumer, event_id, generation, state, epoch, recorded_at)
                SELECT 'stock', UUID(), 0, 'DONE', 0, UTC_TIMESTAMP(6) - INTERVAL (seq MOD 10) DAY FROM seq_1_to_%d
                """.formatted(ROWS));
        if (analysed) {
            Sql.execute(database, "ANALYZE TABLE waybill_processed");
        }
        JdbcInbox inbox = new JdbcInbox(database, store);
        List<InboxKey> unknown = IntStream.range(0, 5_000)
                .mapToObj(i -> new InboxKey("stock", UUID.randomUUID(), 0))
                .toList();

        assertThat(rowsRead(() -> inbox.seen(unknown.subList(0, 500)))).isLessThanOrEqualTo(2 * 500 + FIXED);
        // As a list of that length becomes a table: written, read, and looked for.
        assertThat(rowsRead(() -> inbox.seen(unknown))).isLessThanOrEqualTo(4 * 5_000 + FIXED);
        assertThat(rowsRead(() -> assertThat(store.clean()).isEqualTo(BATCH))).isLessThanOrEqualTo(4 * BATCH + FIXED);
        // Aside, or to be replayed, for others who have the same key.
        Sql.execute(database, "UPDATE waybill_outbox SET replay = 0, event_key = 'k-1'");
        connection.setAutoCommit(false);
        assertThat(rowsRead(() -> assertThat(inbox.isAside(connection, new OrderKey("mails", "k-1")))
                        .isFalse()))
                .isLessThanOrEqualTo(FIXED);
        assertThat(rowsRead(() -> assertThat(inbox.isAside(connection, new OrderKey("orders", "k-1")))
                        .isTrue()))
                .isLessThanOrEqualTo(FIXED);
        connection.rollback();
    }

    @Test
    void aDelayedEventIsCancelledByIndex() throws SQLException {
        connection.setAutoCommit(false);
        assertThat(rowsRead(() -> store.cancel(connection, UUID.randomUUID()))).isLessThanOrEqualTo(FIXED);
        connection.rollback();
    }

    private long rowsRead(Runnable work) throws SQLException {
        long before = counted();
        work.run();
        return counted() - before;
    }

    /** Of this session; the statement that asks adds a few itself. */
    private long counted() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            long sum = 0;
            while (rows.next()) {
                sum += rows.getLong(2);
            }
            return sum;
        }
    }

    private static List<ScanCursor> cursors(long lowWater, long position, int limit) {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> cursor(shard, lowWater, position, limit))
                .toList();
    }

    private static ScanCursor cursor(int shard, long lowWater, long position, int limit) {
        return new ScanCursor(shard, lowWater, position, limit, 16_000_000, Set.of("paused"));
    }

    private void fill() {
        Sql.execute(database, """
                INSERT INTO waybill_outbox (shard, id, destination, event_key, type, version, content_type, payload,
                    occurred_at)
                SELECT seq MOD 64, UUID(), 'orders', CONCAT('k-', seq MOD 1000), 'T', 1, 'text/plain', REPEAT('x', 300),
                    UTC_TIMESTAMP(6)
                FROM seq_1_to_%d
                """.formatted(ROWS));
    }
}
