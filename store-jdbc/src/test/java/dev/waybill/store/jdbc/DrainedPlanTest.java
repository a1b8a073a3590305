package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a relay reads, in order to deliver or to settle, does not grow with the backlog, also when the planner takes the outbox for
 * empty. It does after the queue was drained and analysed, whatever comes next: the pages are still there, and nothing was on them.
 */
@ParameterizedClass
@MethodSource("databases")
class DrainedPlanTest {
    private static final int BACKLOG = 20_000;
    private static final int BATCH = 500;
    private static final UUID RELAY = UUID.randomUUID();
    private static final Set<Integer> ALL =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toSet());
    private static final OrderKey KEY = new OrderKey("orders", "poison");

    private final DataSource database;
    private final StoreRig rig;

    DrainedPlanTest(Supplier<DataSource> server) {
        database = server.get();
        rig = new StoreRig(database, JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofMinutes(5)));
    }

    static Stream<Supplier<DataSource>> databases() {
        return Stream.of(EmbeddedDatabases::postgres16, EmbeddedDatabases::postgres18);
    }

    @BeforeEach
    void fillBehindThePlannersBack() {
        Sql.execute(database, "ALTER TABLE waybill_outbox SET (autovacuum_enabled = off)");
        Sql.execute(database, "ALTER TABLE waybill_dead_letter SET (autovacuum_enabled = off, vacuum_truncate = off)");
        fillOutbox();
        fillDeadLetters();
        for (String table : List.of("outbox", "dead_letter")) {
            Sql.execute(database, "DELETE FROM waybill_" + table);
            Sql.execute(database, "VACUUM ANALYZE waybill_" + table);
            assertThat(Sql.number(database, "SELECT reltuples FROM pg_class WHERE relname = 'waybill_" + table + "'"))
                    .isZero();
        }
        fillOutbox();
        fillDeadLetters();
    }

    private void fillOutbox() {
        Sql.execute(database, """
                INSERT INTO waybill_outbox (shard, id, destination, event_key, type, version, content_type, payload,
                    occurred_at)
                SELECT get_byte(sha256(convert_to('orders' || E'\\n' || 'k-' || g, 'UTF8')), 0) >> 2, gen_random_uuid(),
                    'orders', 'k-' || g, 'T', 1, 'x', '', now()
                FROM generate_series(1, %d) g
                """.formatted(BACKLOG));
    }

    private void fillDeadLetters() {
        Sql.execute(database, """
                INSERT INTO waybill_dead_letter (seq, shard, id, destination, event_key, type, version, content_type,
                    payload, occurred_at, attempts, state)
                SELECT 1000000 + g, 0, gen_random_uuid(), 'orders', 'k-' || g, 'T', 1, 'x', '', now(), 0, 'WAITING'
                FROM generate_series(1, %d) g
                """.formatted(BACKLOG));
    }

    @Test
    void deliveriesReadNoMoreThanTheirBatch() {
        assertReadsItsBatch(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()), "n_tup_del");
    }

    @Test
    void deliveriesOfDelayedEventsReadNoMoreThanTheirBatch() {
        Sql.execute(database, "UPDATE waybill_outbox SET available_at = now() - interval '1 minute'");

        assertReadsItsBatch(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()), "n_tup_del");
    }

    @Test
    void failuresReadNoMoreThanTheirBatch() {
        assertReadsItsBatch(
                entry -> new Outcome.Retried(entry.shard(), entry.sequence(), Duration.ofHours(1), "later"),
                "n_tup_upd");
    }

    @Test
    void deathsReadNoMoreThanTheirBatch() {
        assertReadsItsBatch(
                entry -> new Outcome.Died(entry.shard(), entry.sequence(), "broken", DeadLetterPolicy.SKIP),
                "n_tup_del");
    }

    @Test
    void holdingAndRestoringReadNoMoreThanTheirBatch() {
        rig.publish(IntStream.range(0, BATCH)
                .mapToObj(i -> Event.to("orders").key("poison").type("T").build())
                .toList());
        rig.store.operations().pauseKey(KEY, StoreRig.TESTER);
        Lease lease = leases().stream()
                .filter(one -> one.shard() == KEY.shard())
                .findFirst()
                .orElseThrow();
        Counts before = counts("outbox", "n_tup_del");
        assertThat(rig.store.hold(RELAY, lease, KeyCursor.all(KEY), BATCH)).hasValue(BATCH);
        assertReadSince(before, "outbox", "n_tup_del");

        rig.store.operations().resumeKey(KEY, StoreRig.TESTER);
        Counts held = counts("dead_letter", "n_tup_del");
        assertThat(rig.store.restore(RELAY, lease, KEY, BATCH)).hasValue(BATCH);
        assertReadSince(held, "dead_letter", "n_tup_del");
    }

    @Test
    void lookingForWhatIsDueReadsNothingElse() {
        Sql.execute(
                database, "UPDATE waybill_outbox SET available_at = now() - interval '1 minute' WHERE seq % 200 = 0");
        Sql.execute(database, "UPDATE waybill_outbox SET retry_at = now() + interval '1 hour' WHERE seq % 200 = 1");
        // Their sessions' reports must not be taken for what follows.
        Awaitility.await().until(() -> counts("outbox", "n_tup_upd").changed == BACKLOG / 100);

        assertReadsFew(() -> rig.store.readDue(ALL, DueCursor.START, BATCH).entries(), BACKLOG / 200);
    }

    @Test
    void aScanReadsNoMoreThanItsLimit() {
        leases();
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 5, 1_000_000, Set.of()))
                .toList();

        assertReadsFew(() -> entries(rig.store.scan(RELAY, cursors)), 5 * Shards.COUNT);
        assertReadsFew(() -> entries(rig.store.peek(RELAY, cursors)), 5 * Shards.COUNT);
    }

    @Test
    void lanesReadNoMoreThanTheirLimit() {
        List<LaneCursor> lanes = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new LaneCursor(shard, "orders", 0, 5, 1_000_000))
                .toList();

        // Lanes that share a range bring less.
        assertReadsFew(
                () -> rig.store.readLanes(lanes).stream()
                        .flatMap(page -> page.entries().stream())
                        .toList(),
                2 * Shards.COUNT,
                6 * Shards.COUNT);
    }

    @Test
    void aKeyReadsNoMoreThanItsStretch() {
        long first = BACKLOG + 1;
        List<KeyCursor> keys = IntStream.range(0, 100)
                .mapToObj(i -> new KeyCursor(new OrderKey("orders", "k-" + (1 + i)), first + i, first + i + 64))
                .toList();

        assertReadsFew(() -> rig.store.readKeys(keys, 5), 100);
    }

    private static List<Entry> entries(Scan scan) {
        return scan.pages().stream().flatMap(page -> page.entries().stream()).toList();
    }

    private void assertReadsFew(Supplier<List<Entry>> reading, int found) {
        assertReadsFew(reading, found, found + found / 4);
    }

    private void assertReadsFew(Supplier<List<Entry>> reading, int found, int atMost) {
        Counts before = counts("outbox", "idx_scan");

        assertThat(reading.get()).hasSizeBetween(found, atMost);

        // A session reports what it did when it ends, all of it together.
        Awaitility.await().until(() -> counts("outbox", "idx_scan").changed > before.changed);
        assertThat(counts("outbox", "idx_scan").read - before.read).isLessThan(5L * atMost);
    }

    private void assertReadsItsBatch(Function<Entry, Outcome> outcome, String changed) {
        List<Lease> leases = leases();
        long unread = counts("outbox", changed).read;
        List<Entry> all = rig.outbox();
        List<Outcome> outcomes = all.stream().limit(BATCH).map(outcome).toList();
        // That session's report must not be taken for what the settle has read.
        Awaitility.await().until(() -> counts("outbox", changed).read >= unread + all.size());
        Counts before = counts("outbox", changed);

        assertThat(rig.store.settle(RELAY, leases, outcomes)).isEmpty();

        assertReadSince(before, "outbox", changed);
    }

    private List<Lease> leases() {
        rig.store.take(RELAY, Shards.COUNT, Duration.ofMinutes(10));
        return rig.store.renew(RELAY, Duration.ofMinutes(10)).leases();
    }

    private record Counts(long read, long changed) {}

    /** A session reports what it did when it ends, all of it together. */
    private void assertReadSince(Counts before, String table, String changed) {
        Awaitility.await().until(() -> counts(table, changed).changed >= before.changed + BATCH);
        assertThat(counts(table, changed).read - before.read).isLessThan(5L * BATCH);
    }

    private Counts counts(String table, String changed) {
        String from = " FROM pg_stat_user_tables WHERE relname = 'waybill_" + table + "'";
        return new Counts(
                Sql.number(database, "SELECT COALESCE(idx_tup_fetch, 0) + COALESCE(seq_tup_read, 0)" + from),
                Sql.number(database, "SELECT " + changed + from));
    }
}
