package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.LanePage;
import dev.waybill.store.ScanCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostgresBacklogScanTest extends BacklogScanContract {

    PostgresBacklogScanTest() {
        super(EmbeddedDatabases.postgres18());
    }

    @Test
    void aScanOfARangeReadsThatRange() throws SQLException {
        publish(EVENTS, 10);
        Tables tables = Tables.of(JdbcStoreConfig.defaults());
        PostgresScan scan = new PostgresScan(
                new PostgresStatements(tables, Duration.ofSeconds(30)),
                new EntryRows(new PostgresFlavour(tables), JdbcStoreConfig.defaults()));
        String sql = scan.scanOfAll().replaceFirst(";\\s*WITH", "; EXPLAIN (ANALYZE, FORMAT JSON) WITH");
        ScanPlan plan;
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            PostgresScan.bindAll(statement, RELAY, cursors(0, EVENTS), 2_000, null);
            ResultSet rows = PostgresStatements.query(statement);
            rows.next();
            plan = ScanPlan.parse(rows.getString(1));
        }

        assertThat(plan.rowsOf("waybill_outbox")).isBetween(200L, 3_000L);
        assertThat(plan.text())
                .contains("Bitmap Heap Scan")
                .doesNotContain("Seq Scan")
                .doesNotContain("\"Sort\"");
    }

    @Test
    void lanesOfABacklogAreReadByRange() throws SQLException {
        publish(EVENTS, 10);

        List<LanePage> pages = store.readLanes(lanes("orders"));

        assertThat(pages.stream().map(LanePage::position).distinct()).hasSize(1);
        long end = pages.get(0).position();
        assertThat(end).isBetween(200L, 2_000L);
        assertThat(pages.stream().mapToInt(page -> page.entries().size()).sum()).isEqualTo((int) end);
    }

    @Test
    void aRangeOfNothingButSkippedDestinationsIsReadOver() throws SQLException {
        publish(EVENTS, 10);

        assertThat(store.peek(RELAY, skipping("orders")).pages())
                .allMatch(page -> page.entries().isEmpty() && page.position() >= 200 && page.more());
        assertThat(store.scan(RELAY, skipping("orders")).pages())
                .allMatch(page -> page.entries().isEmpty() && page.position() >= 200 && page.more());
    }

    private static List<ScanCursor> skipping(String destination) {
        return cursors(0, EVENTS).stream()
                .map(cursor -> new ScanCursor(
                        cursor.shard(), 0, 0, cursor.limit(), cursor.maxBytes(), Set.of(destination), cursor.decided()))
                .toList();
    }
}
