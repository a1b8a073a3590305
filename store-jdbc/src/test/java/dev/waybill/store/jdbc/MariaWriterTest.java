package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** How MariaDB's own limits, clocks and rights are dealt with. */
class MariaWriterTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final Tables TABLES = Tables.of(JdbcStoreConfig.defaults());
    private static final OrderKey KEY = new OrderKey("orders", "o-1");

    private final DataSource database = EmbeddedDatabases.mariadb();
    private final JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());

    MariaWriterTest() {
        store.migrate();
    }

    @Test
    void eventsThatDoNotFitIntoOneStatementGoInSeveralInOrder() throws SQLException {
        MariaWriter narrow = narrow();
        List<Event> events = IntStream.range(0, 1_200)
                .mapToObj(i -> event(i % 100 == 0 ? 40_000 : 10))
                .toList();
        try (Connection connection = begin(database)) {
            narrow.append(connection, events, Set.of());
            connection.commit();
        }

        assertThat(store.readKeys(List.of(KeyCursor.all(KEY)), 2_000).stream()
                        .map(entry -> entry.event().id()))
                .isEqualTo(events.stream().map(Event::id).toList());
    }

    @Test
    void anEventThatDoesNotFitIsRefusedWithTheLimit() throws SQLException {
        MariaWriter narrow = narrow();
        try (Connection connection = begin(database)) {
            assertThatThrownBy(() -> narrow.append(connection, List.of(event(50_000)), Set.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("max_allowed_packet");
        }
    }

    private MariaWriter narrow() {
        JdbcStoreConfig config = JdbcStoreConfig.defaults();
        MariaWriters writers = new MariaWriters(TABLES);
        Sessions lent = new Sessions(database, config.statementTimeout(), Connection.TRANSACTION_READ_COMMITTED);
        MariaSessions sessions = new MariaSessions(lent, MariaProduct.MARIADB, config.statementTimeout());
        return new MariaWriter(
                sessions, TABLES, writers, new EntryRows(new MariaFlavour(TABLES, writers), config), 100_000);
    }

    @Test
    void aServerThatTakesOnlySmallStatementsIsRefused() {
        long before = Sql.number(database, "SELECT @@GLOBAL.max_allowed_packet");
        Sql.execute(database, "SET GLOBAL max_allowed_packet = 1048576");
        try {
            assertThatThrownBy(() -> JdbcOutboxStore.create(database, JdbcStoreConfig.defaults()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("1048576")
                    .hasMessageContaining("max_allowed_packet");
        } finally {
            Sql.execute(database, "SET GLOBAL max_allowed_packet = " + before);
        }
    }

    @Test
    void timesAreUtcWhateverTheZonesOfMachineAndSession() throws SQLException {
        Instant inTheGapOfSpring = Instant.parse("2026-03-08T02:30:00.123456Z");
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            Event event = Event.to("orders")
                    .key("o-1")
                    .type("T")
                    .occurredAt(inTheGapOfSpring)
                    .availableAt(Instant.now().plusSeconds(600))
                    .build();
            try (Connection connection = begin(database)) {
                Sql.execute(connection, "SET time_zone = '+09:00'");
                store.append(connection, List.of(event), Set.of());
                connection.commit();
            }
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));

            Entry entry = store.readKeys(List.of(KeyCursor.all(KEY)), 1).get(0);
            assertThat(entry.event()).isEqualTo(event);
            assertThat(entry.dueIn()).isBetween(Duration.ofSeconds(590), Duration.ofSeconds(600));
            assertThat(Sql.number(
                            database,
                            "SELECT count(*) FROM waybill_outbox WHERE occurred_at = '2026-03-08 02:30:00.123456'"))
                    .isEqualTo(1);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void aUserWhoMayOnlyUseItsOwnDatabaseDoesEverything() throws SQLException {
        String name = text("SELECT DATABASE()");
        String user = name + "_user";
        Sql.execute(database, "CREATE USER " + user + "@localhost");
        Sql.execute(database, "GRANT ALL PRIVILEGES ON " + name + ".* TO " + user + "@localhost");
        DataSource limited = EmbeddedMariaDb.dataSource(name, user);
        JdbcOutboxStore theirs = JdbcOutboxStore.create(limited, JdbcStoreConfig.defaults());
        theirs.migrate();
        List<Lease> leases = theirs.take(RELAY, 64, Duration.ofMinutes(1));
        try (Connection writer = begin(limited)) {
            theirs.append(writer, List.of(event(10)), Set.of(KEY));
            assertThat(scan(theirs).writers()).hasSize(1);
            writer.commit();
        }
        Scan scan = scan(theirs);
        assertThat(scan.writers()).isEmpty();
        Entry entry = scan.pages().get(0).entries().get(0);
        assertThat(theirs.settle(RELAY, leases, List.of(new Outcome.Delivered(entry.shard(), entry.sequence()))))
                .isEmpty();
        assertThat(scan(theirs).pages().get(0).entries()).isEmpty();
    }

    @Test
    void withoutItsSlotsTheInsertIsRefused() throws SQLException {
        Sql.execute(database, "DELETE FROM waybill_writer_slot");
        try (Connection connection = begin(database)) {
            assertThatThrownBy(() -> store.append(connection, List.of(event(10)), Set.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("attempts");
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Scan scan(JdbcOutboxStore store) {
        return store.scan(RELAY, List.of(new ScanCursor(KEY.shard(), 0, 0, 10, Long.MAX_VALUE, Set.of())));
    }

    private static Connection begin(DataSource database) throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static Event event(int bytes) {
        return Event.to(KEY.destination())
                .key(KEY.key())
                .type("T")
                .payload(new byte[bytes])
                .build();
    }
}
