package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is listed as a writer: everybody who may have drawn a sequence, and nobody who only reads. */
class WriterListTest {
    private static final OrderKey KEY = new OrderKey("orders", "o-1");

    static Stream<DataSource> databases() {
        return Stream.of(
                EmbeddedDatabases.postgres18(),
                EmbeddedDatabases.postgres16(),
                EmbeddedDatabases.mariadb(),
                H2Databases.inMemory());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whoInsertedIsListedUntilTheEndAndWhoOnlyReadIsNot(DataSource database) throws SQLException {
        JdbcOutboxStore store = migrated(database);
        try (Connection writer = database.getConnection();
                Connection reader = database.getConnection()) {
            writer.setAutoCommit(false);
            reader.setAutoCommit(false);
            Sql.execute(reader, "SELECT count(*) FROM waybill_outbox");
            assertThat(writers(store)).isEmpty();

            store.append(writer, List.of(event()), Set.of());
            Set<String> listed = writers(store);
            assertThat(listed).isNotEmpty();
            assertThat(writers(store)).isEqualTo(listed);

            writer.commit();
            assertThat(writers(store)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whoRolledBackToASavepointIsStillListed(DataSource database) throws SQLException {
        JdbcOutboxStore store = migrated(database);
        try (Connection writer = database.getConnection()) {
            writer.setAutoCommit(false);
            var savepoint = writer.setSavepoint();
            store.append(writer, List.of(event()), Set.of());
            writer.rollback(savepoint);
            store.append(writer, List.of(event()), Set.of());
            assertThat(writers(store)).isNotEmpty();
            writer.rollback();
            assertThat(writers(store)).isEmpty();
        }
    }

    @Test
    void aPreparedTransactionKeepsANameUntilItIsCommitted() throws SQLException {
        DataSource database = EmbeddedDatabases.postgres18();
        JdbcOutboxStore store = migrated(database);
        try (Connection writer = database.getConnection()) {
            writer.setAutoCommit(false);
            store.append(writer, List.of(event()), Set.of());
            Set<String> active = writers(store);
            Sql.execute(writer, "PREPARE TRANSACTION 'two-phase'");
            writer.commit();

            Set<String> prepared = writers(store);
            assertThat(prepared).isNotEmpty();
            Set<String> kept = new HashSet<>(active);
            kept.retainAll(prepared);
            assertThat(kept).as("a name that was listed before must still be").isNotEmpty();

            Sql.execute(database, "COMMIT PREPARED 'two-phase'");
            assertThat(writers(store)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void onMariaDbAWriterIsListedWhateverItsIsolation(int isolation) throws SQLException {
        DataSource database = EmbeddedDatabases.mariadb();
        JdbcOutboxStore store = migrated(database);
        try (Connection writer = database.getConnection()) {
            writer.setTransactionIsolation(isolation);
            writer.setAutoCommit(false);
            store.append(writer, List.of(event()), Set.of());
            assertThat(writers(store)).hasSize(1);
            writer.commit();
            assertThat(writers(store)).isEmpty();
        }
    }

    @Test
    void aPreparedTransactionOfMariaDbIsListedUntilItIsCommitted() throws SQLException {
        DataSource database = EmbeddedDatabases.mariadb();
        JdbcOutboxStore store = migrated(database);
        try (Connection writer = database.getConnection()) {
            Sql.execute(writer, "XA START 'two-phase'");
            Sql.execute(writer, """
                    INSERT INTO waybill_outbox (shard, id, destination, type, version, content_type, payload, occurred_at,
                        attempts)
                    VALUES (1, UUID(), 'd', 'T', 1, 'text/plain', 'x', UTC_TIMESTAMP(6),
                        (SELECT 0 FROM waybill_writer_slot WHERE slot = 17 LOCK IN SHARE MODE))
                    """);
            assertThat(writers(store)).containsExactly("slot 17");
            Sql.execute(writer, "XA END 'two-phase'");
            Sql.execute(writer, "XA PREPARE 'two-phase'");

            assertThat(writers(store)).as("the name that was listed before").contains("slot 17");

            Sql.execute(writer, "XA COMMIT 'two-phase'");
            assertThat(writers(store)).isEmpty();
        }
    }

    static Stream<Supplier<DataSource>> servers() {
        return Stream.of(EmbeddedDatabases::postgres18, EmbeddedDatabases::mariadb);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void writersOfOtherTablesAndDatabasesAreNotListed(Supplier<DataSource> server) throws SQLException {
        DataSource database = server.get();
        DataSource other = server.get();
        Sql.execute(database, "CREATE TABLE business (id int)");
        JdbcOutboxStore store = migrated(database);
        JdbcOutboxStore otherStore = migrated(other);
        try (Connection elsewhere = other.getConnection();
                Connection here = database.getConnection()) {
            elsewhere.setAutoCommit(false);
            here.setAutoCommit(false);
            otherStore.append(elsewhere, List.of(event()), Set.of());
            Sql.execute(here, "INSERT INTO business VALUES (1)");

            assertThat(writers(store)).isEmpty();
        }
    }

    private static JdbcOutboxStore migrated(DataSource database) {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
        return store;
    }

    private static Set<String> writers(JdbcOutboxStore store) {
        Scan scan =
                store.scan(UUID.randomUUID(), List.of(new ScanCursor(KEY.shard(), 0, 0, 10, Long.MAX_VALUE, Set.of())));
        return scan.writers();
    }

    private static Event event() {
        return Event.to(KEY.destination()).key(KEY.key()).type("T").build();
    }
}
