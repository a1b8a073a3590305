package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxKey;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a consumer reads for an event does not grow with what is stored, also when the planner knows nothing of it. */
class PostgresInboxPlanTest {
    private static final int MANY = 20_000;
    private static final OrderKey LANE = new OrderKey("stock", "hot");

    private final DataSource database = EmbeddedDatabases.postgres18();
    private final StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults());
    private final JdbcInbox inbox = new JdbcInbox(database, rig.store);

    @Test
    void lookingForAKeyReadsNothingElse() throws Exception {
        Sql.execute(database, "ALTER TABLE waybill_outbox SET (autovacuum_enabled = off)");
        // When the statistics were made every second row was of this key; now there is none among many.
        fillOutbox("CASE WHEN g % 2 = 0 THEN 'hot' ELSE 'other' END", MANY);
        Sql.execute(database, "ANALYZE waybill_outbox");
        Sql.execute(database, "TRUNCATE waybill_outbox");
        fillOutbox("'k-' || g", MANY);
        long before = rowsRead("outbox");

        // Often enough for a plan that does not know the key.
        for (int i = 0; i < 10; i++) {
            assertThat(inbox.<Boolean>inTransaction(connection -> {
                        for (int again = 0; again < 9; again++) {
                            assertThat(inbox.isAside(connection, LANE)).isFalse();
                        }
                        return inbox.isAside(connection, LANE);
                    }))
                    .isFalse();
        }

        awaitStatistics("outbox_aside", 100);
        assertThat(rowsRead("outbox") - before).isLessThan(1_000);
    }

    @Test
    void lookingForEventsThatTookEffectReadsThemOnly() {
        fillProcessed("now()");
        List<InboxKey> unknown = IntStream.range(0, 500)
                .mapToObj(i -> new InboxKey("stock", UUID.randomUUID(), 0))
                .toList();
        long before = rowsRead("processed");

        assertThat(inbox.seen(unknown)).isEmpty();

        awaitStatistics("processed_pk", 1);
        assertThat(rowsRead("processed") - before).isLessThan(1_000);
    }

    @Test
    void forgettingReadsWhatIsOld() {
        fillProcessed("now() - interval '10 days'");
        fillProcessed("now()");
        Sql.execute(database, "SELECT brin_summarize_new_values('waybill_processed_recorded')");
        JdbcStoreConfig config = JdbcStoreConfig.defaults().withInboxRetention(Duration.ofDays(8));
        JdbcOutboxStore store = JdbcOutboxStore.create(database, config);

        int removed = 0;
        for (int portion = store.clean(); portion > 0; portion = store.clean()) {
            removed += portion;
        }

        assertThat(removed).isEqualTo(MANY);
        assertThat(rig.count("processed")).isEqualTo(MANY);
        awaitStatistics("processed_recorded", 1);
        assertThat(Sql.number(
                        database,
                        "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'waybill_processed_recorded'"))
                .as("every portion went through the index by time")
                .isGreaterThanOrEqualTo(MANY / 1_000);
    }

    private void fillOutbox(String key, int count) {
        Sql.execute(database, """
                INSERT INTO waybill_outbox (shard, id, destination, event_key, type, version, content_type, payload,
                    occurred_at, replay)
                SELECT g %% 64, gen_random_uuid(), 'stock', %s, 'T', 1, 'x', '', now(), 0 FROM generate_series(1, %d) g
                """.formatted(key, count));
    }

    private void fillProcessed(String time) {
        Sql.execute(database, """
                INSERT INTO waybill_processed (consumer, event_id, generation, state, epoch, recorded_at)
                SELECT 'stock', gen_random_uuid(), 0, 'DONE', 0, %s FROM generate_series(1, %d) g
                """.formatted(time, MANY));
    }

    /** A session reports what it did when it ends. */
    private void awaitStatistics(String index, int scans) {
        Awaitility.await()
                .until(() -> Sql.number(
                                database,
                                "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'waybill_" + index
                                        + "'")
                        >= scans);
    }

    private long rowsRead(String table) {
        return Sql.number(
                database,
                "SELECT COALESCE(idx_tup_fetch, 0) + COALESCE(seq_tup_read, 0) FROM pg_stat_user_tables"
                        + " WHERE relname = 'waybill_" + table + "'");
    }
}
