package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class EmbeddedDatabasesTest {

    @Test
    void bothVersionsRunSideBySideWithDurableCommits() throws SQLException {
        assertDurable(EmbeddedDatabases.postgres18(), 18);
        assertDurable(EmbeddedDatabases.postgres16(), 16);
    }

    @Test
    void mariaDbIsThereToo() throws SQLException {
        DataSource database = EmbeddedDatabases.mariadb();

        assertThat(show(database, "SELECT VERSION()")).startsWith("11.4.").contains("MariaDB");
        assertThat(show(database, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
        assertThat(show(database, "SELECT @@tx_isolation"))
                .as("what applications mostly have")
                .isEqualTo("REPEATABLE-READ");
    }

    @Test
    void everyCallAnswersADatabaseOfItsOwn() throws SQLException {
        assertThat(show(EmbeddedDatabases.postgres18(), "SELECT current_database()"))
                .isNotEqualTo(show(EmbeddedDatabases.postgres18(), "SELECT current_database()"));
    }

    private static void assertDurable(DataSource database, int majorVersion) throws SQLException {
        assertThat(show(database, "SHOW server_version")).startsWith(majorVersion + ".");
        assertThat(show(database, "SHOW fsync")).isEqualTo("on");
        assertThat(show(database, "SHOW synchronous_commit")).isEqualTo("on");
        assertThat(show(database, "SHOW full_page_writes")).isEqualTo("on");
    }

    private static String show(DataSource database, String sql) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
