package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import dev.waybill.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final JdbcStoreConfig DEFAULTS = JdbcStoreConfig.defaults();
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    static Stream<DataSource> databases() {
        return Stream.concat(databasesWithSequences(), Stream.of(EmbeddedDatabases.mariadb()));
    }

    /** MariaDB's counter cannot be set back below what is in the table. */
    static Stream<DataSource> databasesWithSequences() {
        return Stream.of(EmbeddedDatabases.postgres18(), H2Databases.inMemory());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void manyProcessesMayMigrateAtOnce(DataSource database) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<Boolean> migrate = () -> {
                JdbcOutboxStore.create(database, DEFAULTS).migrate();
                return true;
            };
            for (Future<Boolean> done : threads.invokeAll(
                    IntStream.range(0, 8).mapToObj(i -> migrate).toList())) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_schema_version"))
                .isEqualTo(3);
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_lease")).isEqualTo(64);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void tablesOfANewerWaybillAreRefused(DataSource database) {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, DEFAULTS);
        store.migrate();
        Sql.execute(database, "INSERT INTO waybill_schema_version VALUES (99, 'V099__future.sql', CURRENT_TIMESTAMP)");

        assertThatThrownBy(store::migrate)
                .isInstanceOfSatisfying(
                        SchemaVersionException.class, e -> assertThat(e.found()).isEqualTo(99))
                .hasMessageContaining("99")
                .hasMessageContaining("Upgrade Waybill");
        Sql.execute(database, "DELETE FROM waybill_schema_version WHERE version = 99");
        store.migrate();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void withoutTablesTheErrorSaysToMigrate(DataSource database) throws SQLException {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, DEFAULTS);

        assertThatThrownBy(() -> store.take(RELAY, 1, Duration.ofSeconds(10)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("migrate()");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> store.append(connection, List.of(event()), Set.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("append 1 event")
                    .hasMessageContaining("migrate()");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void schemaAndPrefixAreUsedForEverything(DataSource database) throws SQLException {
        // A database of MariaDB is a schema, and the tests share its server.
        String schema = "Shipping" + SCHEMAS.incrementAndGet();
        JdbcStoreConfig config = DEFAULTS.withSchema(schema).withTablePrefix("Way_");
        JdbcOutboxStore store = JdbcOutboxStore.create(database, config);
        store.migrate();
        store.migrate();

        publish(database, store, event());

        assertThat(entries(store)).hasSize(1);
        assertThat(Sql.number(database, "SELECT count(*) FROM " + schema + ".Way_outbox"))
                .isEqualTo(1);
        assertThat(store.take(RELAY, 3, Duration.ofSeconds(10))).hasSize(3);
        JdbcOutboxStore beside = JdbcOutboxStore.create(database, config.withTablePrefix(""));
        beside.migrate();
        assertThat(entries(beside)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("databasesWithSequences")
    void aSequenceThatWasSetBackIsRepaired(DataSource database) throws SQLException {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, DEFAULTS);
        store.migrate();
        publish(database, store, event(), event(), event());
        Sql.execute(database, "ALTER TABLE waybill_outbox ALTER COLUMN seq RESTART WITH 1");

        store.migrate();
        publish(database, store, event());

        assertThat(entries(store).stream().map(Entry::sequence)).containsExactly(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aSequenceBelowADeadLetterIsRepaired(DataSource database) throws SQLException {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, DEFAULTS);
        store.migrate();
        publish(database, store, event());
        Sql.execute(database, """
                INSERT INTO waybill_dead_letter (seq, shard, id, destination, type, version, content_type, payload,
                    occurred_at, attempts, state)
                SELECT 500, shard, id, destination, type, version, content_type, payload, occurred_at, 1, 'DEAD'
                FROM waybill_outbox
                """);

        store.migrate();
        publish(database, store, event());

        assertThat(entries(store).stream().map(Entry::sequence)).containsExactly(1L, 501L);
    }

    @Test
    void aMigrationOfMariaDbThatWasInterruptedIsFinished() throws SQLException {
        DataSource database = EmbeddedDatabases.mariadb();
        JdbcOutboxStore store = JdbcOutboxStore.create(database, DEFAULTS);
        store.migrate();
        publish(database, store, event());
        // DDL commits by itself: this is how a crash leaves the tables.
        Sql.execute(database, "DELETE FROM waybill_schema_version");
        Sql.execute(database, "DROP TABLE waybill_relay");
        Sql.execute(database, "DROP TABLE waybill_replay");
        Sql.execute(database, "DROP TABLE waybill_redriven");
        Sql.execute(database, "ALTER TABLE waybill_parked_key DROP COLUMN why");
        Sql.execute(database, "DELETE FROM waybill_writer_slot WHERE slot > 100");

        store.migrate();

        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_writer_slot"))
                .isEqualTo(256);
        assertThat(store.renew(RELAY, Duration.ofSeconds(10)).liveRelays()).isEqualTo(1);
        assertThat(entries(store)).hasSize(1);
        assertThat(store.operations().pauseKey(new OrderKey("orders", "o-1"), StoreRig.TESTER))
                .isTrue();
        assertThat(store.replays().list(10)).isEmpty();
    }

    @Test
    void h2WritesThroughAfterTheMigration(@TempDir Path folder) {
        DataSource database = H2Databases.file(folder);
        JdbcOutboxStore.create(database, DEFAULTS).migrate();

        assertThat(Sql.number(
                        database,
                        "SELECT CAST(setting_value AS int) FROM INFORMATION_SCHEMA.SETTINGS"
                                + " WHERE setting_name = 'WRITE_DELAY'"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\"b", "a'b", "a;b", "1a", "ä", "a b", "", "a.b"})
    void aSchemaThatIsNoPlainNameIsRefused(String schema) {
        assertThatThrownBy(() -> DEFAULTS.withSchema(schema))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema \"" + schema + "\"")
                .hasMessageContaining("A-Z a-z 0-9 _");
    }

    @Test
    void aPrefixMustLeaveRoomForTheNamesBehindIt() {
        assertThat(DEFAULTS.withTablePrefix("p".repeat(44)).tablePrefix()).hasSize(44);
        assertThatThrownBy(() -> DEFAULTS.withTablePrefix("p".repeat(45)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 44");
        assertThatThrownBy(() -> DEFAULTS.withTablePrefix("x\"; DROP TABLE users; --"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Event event() {
        return Event.to("orders").key("o-1").type("T").build();
    }

    private static void publish(DataSource database, JdbcOutboxStore store, Event... events) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            store.append(connection, List.of(events), Set.of());
            connection.commit();
        }
    }

    private static List<Entry> entries(JdbcOutboxStore store) {
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 100, Long.MAX_VALUE, Set.of()))
                .toList();
        return store.scan(RELAY, cursors).pages().stream()
                .flatMap(page -> page.entries().stream())
                .sorted(Comparator.comparingLong(Entry::sequence))
                .collect(Collectors.toList());
    }
}
