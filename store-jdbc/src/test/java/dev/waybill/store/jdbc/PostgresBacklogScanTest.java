package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
            PostgresScan.bindAll(statement, RELAY, cursors(0, EVENTS), 2_000);
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
}
