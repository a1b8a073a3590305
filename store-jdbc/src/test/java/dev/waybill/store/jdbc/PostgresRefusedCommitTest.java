package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.Origin;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit may fail because of what a handler did, or because the database is gone: a consumer must know which. */
class PostgresRefusedCommitTest {
    private static final InboxKey KEY = new InboxKey("stock", UUID.randomUUID(), 0);

    private final DataSource database = EmbeddedDatabases.postgres18();
    private final StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults());

    @BeforeEach
    void createTables() {
        Sql.execute(database, "CREATE TABLE article (id int PRIMARY KEY)");
        Sql.execute(database, "CREATE TABLE reserved (article int REFERENCES article DEFERRABLE INITIALLY DEFERRED)");
    }

    @Test
    void aCommitThatAConstraintRefusesIsTheEventsFault() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        JdbcInbox inbox = new JdbcInbox(pool, rig.store);

        assertThatThrownBy(() -> inbox.inTransaction(connection -> {
                    inbox.claim(connection, KEY, Origin.SOURCE);
                    Sql.execute(connection, "INSERT INTO reserved VALUES (7)");
                    return true;
                }))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23503"));

        assertThat(inbox.seen(List.of(KEY))).isEmpty();
        assertThat(pool.connection().getAutoCommit()).isTrue();
        assertThat(Sql.number(pool, "SELECT count(*) FROM reserved")).isZero();
    }

    @Test
    void aCommitThatATriggerRefusesIsTheEventsFault() {
        Sql.execute(database, """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'not this one'; END $$
                """);
        Sql.execute(database, """
                CREATE CONSTRAINT TRIGGER refusal AFTER INSERT ON article DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION refuse()
                """);
        JdbcInbox inbox = new JdbcInbox(database, rig.store);

        assertThatThrownBy(() -> inbox.inTransaction(connection -> {
                    Sql.execute(connection, "INSERT INTO article VALUES (1)");
                    return true;
                }))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("P0001"));
    }

    @Test
    void aSwallowedErrorDoomsTheTransactionAndItsCommitSaysSo() {
        Sql.execute(database, "INSERT INTO article VALUES (1)");
        JdbcOutbox outbox = new JdbcOutbox(rig.store, OutboxConfig.defaults());

        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    Sql.execute(transaction.connection(), "INSERT INTO reserved VALUES (1)");
                    try (var statement = transaction.connection().createStatement()) {
                        statement.executeUpdate("INSERT INTO article VALUES (1)");
                    } catch (SQLException e) {
                        return "it is there already";
                    }
                    return "it is there now";
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("swallowed");

        assertThat(Sql.number(database, "SELECT count(*) FROM reserved")).isZero();
    }

    @Test
    void aCommitThatASerializableConflictRefusesIsTheEventsFault() throws SQLException {
        Sql.execute(database, "INSERT INTO article VALUES (1), (2)");
        JdbcInbox inbox = new JdbcInbox(database, rig.store);
        try (Connection other = database.getConnection()) {
            other.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            other.setAutoCommit(false);

            assertThatThrownBy(() -> inbox.inTransaction(connection -> {
                        Sql.execute(connection, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
                        Sql.execute(connection, "SELECT sum(id) FROM article");
                        Sql.execute(other, "SELECT sum(id) FROM article");
                        Sql.execute(connection, "INSERT INTO article VALUES (3)");
                        Sql.execute(other, "INSERT INTO article VALUES (4)");
                        other.commit();
                        return true;
                    }))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
    }

    @Test
    void aCommitThatNobodyAnswersHasAnUnknownOutcome() {
        JdbcInbox inbox = new JdbcInbox(database, rig.store);

        assertThatThrownBy(() -> inbox.inTransaction(connection -> {
                    inbox.claim(connection, KEY, Origin.SOURCE);
                    long session = number(connection, "SELECT pg_backend_pid()");
                    Sql.execute(database, "SELECT pg_terminate_backend(" + session + ")");
                    return true;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("commit");
    }

    @Test
    void forAnOutboxEveryRefusalIsAFailureOfTheStore() {
        JdbcOutbox outbox = new JdbcOutbox(rig.store, OutboxConfig.defaults());

        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    Sql.execute(transaction.connection(), "INSERT INTO reserved VALUES (7)");
                    return true;
                }))
                .isInstanceOf(StoreException.class);
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
