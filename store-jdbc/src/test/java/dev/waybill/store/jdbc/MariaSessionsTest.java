package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.Lease;
import dev.waybill.store.Outcome;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A connection is lent for a call, with limits on the server, and comes back as it was. */
class MariaSessionsTest {
    private static final UUID RELAY = UUID.randomUUID();

    private final DataSource database = EmbeddedDatabases.mariadb();
    private final JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());

    MariaSessionsTest() {
        store.migrate();
    }

    @Test
    void aSettleThatCannotGoOnIsEndedByTheServerAndTheConnectionIsAsBefore() throws SQLException {
        List<Lease> leases = store.take(RELAY, 1, Duration.ofMinutes(1));
        OneConnection pool = OneConnection.of(database);
        changeSettings(pool);
        JdbcOutboxStore impatient =
                JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofMillis(300)));
        try (Connection blocker = database.getConnection()) {
            blocker.setAutoCommit(false);
            Sql.execute(blocker, "SELECT 1 FROM waybill_lease FOR UPDATE");

            assertThatThrownBy(() -> impatient.settle(
                            RELAY,
                            leases,
                            List.of(new Outcome.Delivered(leases.get(0).shard(), 1))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("could not settle")
                    .hasMessageContaining("70100")
                    .hasMessageContaining("statementTimeout");
        }
        assertSettingsAreAsBefore(pool);
        pool.connection().close();
    }

    @Test
    void theVictimOfADeadlockBeginsAnew() throws Exception {
        Sql.execute(database, "CREATE TABLE IF NOT EXISTS crossed (id int PRIMARY KEY, n int NOT NULL)");
        Sql.execute(database, "DELETE FROM crossed");
        Sql.execute(database, "INSERT INTO crossed VALUES (1, 0), (2, 0)");
        Transactor transactor = store.transactor();
        CyclicBarrier bothHaveOne = new CyclicBarrier(2);

        CompletableFuture<Integer> one =
                CompletableFuture.supplyAsync(() -> transactor.change("cross", cross(bothHaveOne, 1, 2)));
        CompletableFuture<Integer> two =
                CompletableFuture.supplyAsync(() -> transactor.change("cross", cross(bothHaveOne, 2, 1)));

        assertThat(one.get(30, TimeUnit.SECONDS) + two.get(30, TimeUnit.SECONDS))
                .as("one of them ran twice")
                .isEqualTo(3);
        assertThat(Sql.number(database, "SELECT sum(n) FROM crossed")).isEqualTo(4);
    }

    /** Changes two rows, with time for the other one to have the second; answers how often it ran. */
    private static Sessions.Work<Integer> cross(CyclicBarrier bothHaveOne, int first, int second) {
        AtomicInteger runs = new AtomicInteger();
        return connection -> {
            Sql.execute(connection, "UPDATE crossed SET n = n + 1 WHERE id = " + first);
            if (runs.incrementAndGet() == 1) {
                await(bothHaveOne);
            }
            Sql.execute(connection, "UPDATE crossed SET n = n + 1 WHERE id = " + second);
            return runs.get();
        };
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void settingsEndWithTheTransaction() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        changeSettings(pool);
        JdbcOutboxStore lent = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());

        lent.take(RELAY, 1, Duration.ofMinutes(1));
        assertSettingsAreAsBefore(pool);
        lent.operations().statistics();
        assertSettingsAreAsBefore(pool);
        lent.operations().pauseDestination("orders", StoreRig.TESTER);
        assertSettingsAreAsBefore(pool);
        pool.connection().close();
    }

    @Test
    void aLongReadIsOfOneMomentAndChangesNothing() {
        Duration timeout = Duration.ofSeconds(5);
        Sessions lent = new Sessions(database, timeout, Connection.TRANSACTION_READ_COMMITTED);
        MariaSessions sessions = new MariaSessions(lent, MariaProduct.MARIADB, timeout);
        String find = "SELECT slot FROM waybill_key_lock WHERE slot = 777";

        List<Long> found = sessions.snapshot("look twice", connection -> {
            Sql.execute(database, "INSERT INTO waybill_key_lock VALUES (777)");
            return MariaSql.numbers(connection, find);
        });

        assertThat(found).isEmpty();
        assertThat(Sql.number(database, find)).isEqualTo(777);
        assertThatThrownBy(() -> sessions.snapshot(
                        "change", connection -> MariaSql.update(connection, "DELETE FROM waybill_key_lock")))
                .isInstanceOf(StoreException.class);
    }

    private static void changeSettings(OneConnection pool) throws SQLException {
        pool.connection().setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        Sql.execute(pool.connection(), """
                SET SESSION idle_transaction_timeout = 77, SESSION innodb_lock_wait_timeout = 33,
                    SESSION max_statement_time = 11.5
                """);
        pool.connection().setAutoCommit(false);
    }

    private static void assertSettingsAreAsBefore(OneConnection pool) throws SQLException {
        assertThat(pool.connection().getAutoCommit()).isFalse();
        assertThat(pool.connection().getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(pool.connection().getNetworkTimeout()).isZero();
        assertThat(Sql.number(pool, "SELECT @@idle_transaction_timeout")).isEqualTo(77);
        assertThat(Sql.number(pool, "SELECT @@innodb_lock_wait_timeout")).isEqualTo(33);
        assertThat(Sql.number(pool, "SELECT @@max_statement_time * 10")).isEqualTo(115);
    }

    @Test
    void aLockThatIsNotGivenInTimeIsExplained() throws SQLException {
        try (Connection blocker = database.getConnection();
                Connection waiter = database.getConnection()) {
            blocker.setAutoCommit(false);
            waiter.setAutoCommit(false);
            Sql.execute(waiter, "SET SESSION innodb_lock_wait_timeout = 1");
            Sql.execute(blocker, "SELECT 1 FROM waybill_writer_slot FOR UPDATE");

            assertThatThrownBy(() -> store.append(
                            waiter, List.of(Event.to("orders").type("T").build()), Set.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("append 1 event")
                    .hasMessageContaining("lock time-out");
        }
    }
}
