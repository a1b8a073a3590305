package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a scan reads is bounded by its limit, whatever lies in the tables and whatever the planner knows about them. */
@ParameterizedClass
@MethodSource("databases")
class ScanPlanTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final OrderKey POISON = new OrderKey("orders", "poison");
    private static final int BATCH = 1_000;

    private final DataSource database;
    private final JdbcOutboxStore store;
    private final Tables tables = Tables.of(JdbcStoreConfig.defaults());
    private final PostgresScan scan = new PostgresScan(
            new PostgresStatements(tables, Duration.ofSeconds(30)),
            new EntryRows(new PostgresFlavour(tables), JdbcStoreConfig.defaults()));

    ScanPlanTest(Supplier<DataSource> server) {
        database = server.get();
        store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
    }

    static Stream<Supplier<DataSource>> databases() {
        return Stream.of(EmbeddedDatabases::postgres16, EmbeddedDatabases::postgres18);
    }

    @BeforeEach
    void migrate() {
        store.migrate();
        // What the planner knows stays what the test says.
        Sql.execute(database, "ALTER TABLE waybill_outbox SET (autovacuum_enabled = off)");
    }

    @Test
    void aPoisonKeyWithManyWaitingEntriesCostsAScanNothing() throws SQLException {
        fill("waybill_dead_letter", ", state", ", 'WAITING'", "'poison'", 100_000);
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 20_000);

        int shard = POISON.shard();
        for (String sql : scan.scans()) {
            ScanPlan plan = explain(sql, List.of(cursor(shard, 0, 0, BATCH)));

            assertThat(plan.rowsOf("waybill_dead_letter")).isZero();
            assertThat(plan.rowsOf("waybill_outbox")).isLessThanOrEqualTo(4 * BATCH);
            assertThat(plan.text()).doesNotContain("Seq Scan");
        }
    }

    @Test
    void aScanOfATableThatWasNeverAnalysedReadsItsLimit() throws SQLException {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);

        assertBounded();
    }

    @Test
    void aScanOfAnAnalysedTableReadsItsLimit() throws SQLException {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);
        Sql.execute(database, "ANALYZE waybill_outbox");

        assertBounded();
    }

    @Test
    void aScanAfterMassDeletesReadsItsLimit() throws SQLException {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);
        Sql.execute(database, "ANALYZE waybill_outbox");
        Sql.execute(database, "DELETE FROM waybill_outbox WHERE seq <= 30000");

        assertBounded(30_000);
    }

    @Test
    void aScanOfATableThatTheStatisticsCallEmptyReadsItsLimit() throws SQLException {
        Sql.execute(database, "VACUUM ANALYZE waybill_outbox");
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);

        assertBounded();
    }

    @Test
    void aSettleReadsOnlyWhatItSettles() {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);
        List<Lease> leases = store.take(RELAY, Shards.COUNT, Duration.ofMinutes(5));
        var entries = store.scan(RELAY, all(0, 15)).pages().stream()
                .flatMap(page -> page.entries().stream())
                .toList();
        assertThat(entries).hasSize(64 * 15);
        long before = rowsRead();

        store.settle(
                RELAY,
                leases,
                entries.stream()
                        .<Outcome>map(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()))
                        .toList());

        // The session that settled has ended, so its counts are in.
        assertThat(rowsRead() - before).isLessThanOrEqualTo(4L * entries.size());
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox")).isEqualTo(50_000 - entries.size());
    }

    @Test
    void plansMadeForEmptyTablesServeFullOnes() throws SQLException {
        Sql.execute(database, "VACUUM ANALYZE waybill_outbox");
        long before;
        int read;
        try (Connection only = database.getConnection()) {
            JdbcOutboxStore busy = JdbcOutboxStore.create(new OneConnection(only), JdbcStoreConfig.defaults());
            List<Lease> leases = busy.take(RELAY, Shards.COUNT, Duration.ofMinutes(5));
            for (int i = 0; i < 12; i++) {
                readAll(busy, leases);
            }
            fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);
            fill("waybill_outbox", ", available_at", ", now() - interval '1 day'", "'d-' || (g % 1000)", 20_000);
            before = rowsRead();
            read = readAll(busy, leases);
        }
        assertThat(read).isGreaterThan(500);
        // The session has ended, so its counts are in.
        assertThat(rowsRead() - before).isLessThanOrEqualTo(10L * read);
    }

    /** All reads and the settle, each for some hundred rows. Answers how many came back. */
    private static int readAll(JdbcOutboxStore store, List<Lease> leases) {
        List<Entry> found = new ArrayList<>();
        long[] positions = new long[Shards.COUNT];
        store.scan(RELAY, all(0, 10)).pages().forEach(page -> {
            found.addAll(page.entries());
            positions[page.lease().shard()] = page.position();
        });
        store.settle(
                RELAY,
                leases,
                found.stream()
                        .<Outcome>map(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()))
                        .toList());
        List<KeyCursor> keys = IntStream.range(0, 20)
                .mapToObj(i -> new OrderKey("orders", "k-" + i))
                .map(key -> new KeyCursor(key, 0, positions[key.shard()]))
                .toList();
        found.addAll(store.readKeys(keys, 5));
        List<LaneCursor> lanes = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new LaneCursor(shard, "orders", 0, 5, 16_000_000))
                .toList();
        store.readLanes(lanes).forEach(page -> found.addAll(page.entries()));
        Set<Integer> shards = IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toSet());
        found.addAll(store.readDue(shards, DueCursor.START, 100).entries());
        return found.size();
    }

    private long rowsRead() {
        return Sql.number(
                database,
                "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'waybill_outbox'");
    }

    private void assertBounded() throws SQLException {
        assertBounded(0);
    }

    private void assertBounded(long position) throws SQLException {
        for (String sql : scan.scans()) {
            assertBounded(sql, position);
        }
    }

    private void assertBounded(String sql, long position) throws SQLException {
        ScanPlan one = explain(sql, List.of(cursor(7, position, position, 200)));
        assertThat(one.rowsOf("waybill_outbox")).isLessThanOrEqualTo(2 * 200);

        ScanPlan all = explain(sql, all(position, 100));
        assertThat(all.rowsOf("waybill_outbox")).isBetween(1L, 2L * Shards.COUNT * 100);

        ScanPlan below = explain(sql, all(position, position + 10_000, 100));
        assertThat(below.text())
                .contains("Index Only Scan")
                .doesNotContain("Seq Scan")
                .doesNotContain("\"Hash Join\"");
        assertThat(below.rowsOf("waybill_outbox")).isLessThanOrEqualTo(10_000 + 2L * Shards.COUNT * 100);
    }

    private static List<ScanCursor> all(long position, int limit) {
        return all(position, position, limit);
    }

    private static List<ScanCursor> all(long lowWater, long position, int limit) {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> cursor(shard, lowWater, position, limit))
                .toList();
    }

    private static ScanCursor cursor(int shard, long lowWater, long position, int limit) {
        return new ScanCursor(shard, lowWater, position, limit, 16_000_000, Set.of("paused"));
    }

    private void fill(String table, String columns, String values, String key, int rows) {
        boolean outbox = table.equals("waybill_outbox");
        Sql.execute(database, """
                INSERT INTO %1$s (%2$s shard, id, destination, event_key, type, version, content_type, payload,
                    occurred_at, attempts %3$s)
                SELECT %4$s get_byte(sha256(convert_to('orders' || E'\\n' || %5$s, 'UTF8')), 0) >> 2, gen_random_uuid(),
                    'orders', %5$s, 'T', 1, 'text/plain', convert_to(repeat('x', 300), 'UTF8'), now(), 0 %6$s
                FROM generate_series(1, %7$d) AS g
                """.formatted(
                        table, outbox ? "" : "seq,", columns, outbox ? "" : "1000000 + g,", key, values, rows));
    }

    @Test
    void aPeekIntoOneShardReadsItsLimit() throws SQLException {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 50_000);

        ScanPlan ahead = explainOne(cursor(7, 20_000, 20_000, 16));
        ScanPlan below = explainOne(cursor(7, 10_000, 20_000, 16));

        assertThat(ahead.rowsOf("waybill_outbox")).isBetween(1L, 17L);
        assertThat(below.rowsOf("waybill_outbox")).isBetween(18L, 1_000L);
        assertThat(below.text()).contains("Index Only Scan").doesNotContain("Seq Scan");
    }

    @Test
    void aPeekIntoOneShardLeavesPayloadsThatItDoesNotTakeWhereTheyAre() throws SQLException {
        fill("waybill_outbox", "", "", "'k-' || (g % 1000)", 1_000);

        assertThat(payloadsRead(new ScanCursor(7, 0, 0, 4, 4_000, Set.of()))).isEqualTo(5);
        assertThat(payloadsRead(new ScanCursor(7, 0, 0, 4, 40, Set.of()))).isZero();
        assertThat(payloadsRead(new ScanCursor(7, 0, 0, 4, 4_000, Set.of("orders"))))
                .isZero();
    }

    private int payloadsRead(ScanCursor cursor) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(scan.peekOne())) {
            PostgresScan.bindOne(statement, RELAY, cursor);
            ResultSet rows = PostgresStatements.query(statement);
            int payloads = 0;
            while (rows.next()) {
                payloads += rows.getBytes("payload") == null ? 0 : 1;
            }
            return payloads;
        }
    }

    private ScanPlan explainOne(ScanCursor cursor) throws SQLException {
        String sql = scan.peekOne().replaceFirst(";\\s*SELECT", "; EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT");
        return explain(sql, statement -> PostgresScan.bindOne(statement, RELAY, cursor));
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    /** Runs the statement often enough for the driver to prepare it and for the server to think of a generic plan. */
    private ScanPlan explain(String sql, Binding binding) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.to(statement);
            String text = "";
            for (int i = 0; i < 12; i++) {
                ResultSet rows = PostgresStatements.query(statement);
                rows.next();
                text = rows.getString(1);
            }
            return ScanPlan.parse(text);
        }
    }

    private ScanPlan explain(String scan, List<ScanCursor> cursors) throws SQLException {
        String sql = scan.replaceFirst(";\\s*WITH", "; EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) WITH");
        return explain(sql, statement -> PostgresScan.bindScan(statement, RELAY, cursors));
    }
}
