package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.store.Lease;
import dev.waybill.store.Outcome;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A connection is lent for a call, with limits on the server, and comes back as it was. */
class PostgresSessionsTest {
    private static final UUID RELAY = UUID.randomUUID();

    private final DataSource database = EmbeddedDatabases.postgres18();
    private final JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());

    PostgresSessionsTest() {
        store.migrate();
    }

    @Test
    void aSettleThatCannotGoOnIsEndedByTheServerAndTheConnectionIsAsBefore() throws SQLException {
        List<Lease> leases = store.take(RELAY, 1, Duration.ofMinutes(1));
        OneConnection pool = OneConnection.of(database);
        pool.connection().setAutoCommit(false);
        JdbcOutboxStore impatient =
                JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofMillis(300)));
        pool.connection().rollback();
        try (Connection blocker = database.getConnection()) {
            blocker.setAutoCommit(false);
            Sql.execute(blocker, "SELECT 1 FROM waybill_lease FOR UPDATE");

            assertThatThrownBy(() -> impatient.settle(
                            RELAY,
                            leases,
                            List.of(new Outcome.Delivered(leases.get(0).shard(), 1))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("could not settle")
                    .hasMessageContaining("57014")
                    .hasMessageContaining("statementTimeout");
        }
        assertThat(pool.connection().getAutoCommit()).isFalse();
        assertThat(pool.connection().getNetworkTimeout()).isZero();
        assertSettingsAreTheServers(pool);
        pool.connection().close();
    }

    @Test
    void settingsEndWithTheStatement() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults()).take(RELAY, 1, Duration.ofMinutes(1));

        assertSettingsAreTheServers(pool);
        pool.connection().close();
    }

    private static void assertSettingsAreTheServers(OneConnection pool) {
        for (String setting : List.of("statement_timeout", "enable_seqscan", "plan_cache_mode", "jit")) {
            String changed = "SELECT count(*) FROM pg_settings WHERE name = '" + setting
                    + "' AND source NOT IN ('default', 'configuration file')";
            assertThat(Sql.number(pool, changed)).as(setting).isZero();
        }
    }

    @Test
    void connectionsWithAnotherIsolationAreUsedAsReadCommittedAndGivenBack() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        pool.connection().setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        JdbcOutboxStore strict = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());

        assertThat(strict.take(RELAY, 3, Duration.ofMinutes(1))).hasSize(3);

        assertThat(pool.connection().getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        pool.connection().close();
    }
}
