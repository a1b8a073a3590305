package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.Origin;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A database of the first version goes on with everything that it holds. */
class UpgradeTest {
    private static final OrderKey KEY = new OrderKey("orders", "o-1");
    private static final String LONG_PREFIX = "p".repeat(44);

    static Stream<Arguments> databases() {
        return Stream.of("waybill_", LONG_PREFIX)
                .flatMap(prefix -> Stream.of(
                        Arguments.of("postgresql", EmbeddedDatabases.postgres18(), prefix),
                        Arguments.of("mariadb", EmbeddedDatabases.mariadb(), prefix),
                        Arguments.of("h2", H2Databases.inMemory(), prefix)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void everyRowOfTheFirstVersionIsStillThere(String kind, DataSource database, String prefix) throws IOException {
        firstVersion(kind, database, prefix);
        fill(kind, database, prefix);

        StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults().withTablePrefix(prefix));

        assertThat(rig.outbox().stream().map(Entry::sequence)).containsExactly(1L, 2L);
        assertThat(rig.outbox()).allMatch(entry -> entry.replay() == 0);
        assertThat(rig.outbox().get(0).attempts()).isEqualTo(3);
        assertThat(rig.store.deadLetters().list(DeadLetterFilter.all(), 0, 10))
                .extracting(DeadLetter::state)
                .containsExactly(DeadLetter.State.PENDING, DeadLetter.State.SKIPPED);
        assertThat(rig.store.readParked(Set.of(KEY.shard())))
                .containsExactly(new ParkedKey(KEY, KEY.shard(), ParkedKey.State.PARKED));
        assertThat(rig.store.operations().statistics().liveRelays()).isEqualTo(1);
        assertThat(rig.store.operations().statistics().ownedShards()).isEqualTo(1);
        assertThat(Sql.number(database, "SELECT epoch FROM " + prefix + "lease WHERE shard = 0"))
                .isEqualTo(17);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whatIsNewWorksWithTheOldRows(String kind, DataSource database, String prefix) throws IOException {
        firstVersion(kind, database, prefix);
        fill(kind, database, prefix);
        StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults().withTablePrefix(prefix));

        assertThat(rig.store.deadLetters().discard(11, StoreRig.TESTER)).isTrue();
        assertThat(rig.store.deadLetters().release(KEY, StoreRig.TESTER)).isTrue();
        assertThat(rig.store.operations().pauseKey(new OrderKey("orders", "o-2"), StoreRig.TESTER))
                .isTrue();
        assertThat(rig.store.auditTrail().records(Long.MAX_VALUE, 10)).hasSize(3);
        assertThat(Sql.number(database, "SELECT count(*) FROM " + prefix + "dead_letter WHERE state = 'WAITING'"))
                .as("the released head and the one behind it")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void consumersAndReplaysWorkOnADatabaseOfTheSecondVersion(String kind, DataSource database, String prefix)
            throws Exception {
        firstVersion(kind, database, prefix);
        fill(kind, database, prefix);
        apply(kind, database, prefix, 2, "V002__operations.sql");
        Sql.execute(database, "UPDATE " + prefix + "dead_letter SET state = 'DISCARDED' WHERE seq = 11");

        StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults().withTablePrefix(prefix));

        DeadLetters letters = rig.store.deadLetters();
        assertThat(letters.find(10))
                .hasValueSatisfying(letter -> assertThat(letter)
                        .matches(one ->
                                one.state() == DeadLetter.State.PENDING && one.replays() == 0 && one.parksKey()));
        assertThat(letters.find(11))
                .hasValueSatisfying(letter -> assertThat(letter.state()).isEqualTo(DeadLetter.State.DISCARDED));
        assertThat(letters.redrive(10, StoreRig.TESTER)).isTrue();
        assertThat(letters.find(10))
                .hasValueSatisfying(letter -> assertThat(letter.state()).isEqualTo(DeadLetter.State.REPLAYING));
        JdbcInbox inbox = new JdbcInbox(database, rig.store);
        InboxKey key = new InboxKey("Stock", new UUID(1, 2), 0);
        assertThat(inbox.inTransaction(connection -> inbox.claim(connection, key, Origin.SOURCE))
                        .isTaken())
                .isTrue();
        assertThat(inbox.seen(List.of(key, new InboxKey("stock", new UUID(1, 2), 0))))
                .containsExactly(key);
        assertThat(inbox.<Boolean>inTransaction(connection -> inbox.isAside(connection, KEY)))
                .isTrue();
        rig.store.clean();
        rig.store.migrate();
    }

    @Test
    void onH2TheScriptIsSafeToRepeatAfterACrash() {
        DataSource database = H2Databases.inMemory();
        StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults());
        rig.publish(StoreRig.events(3));
        rig.settleAll();
        Sql.execute(database, "DELETE FROM waybill_schema_version WHERE version >= 2");

        rig.store.migrate();

        assertThat(rig.count("history")).isEqualTo(3);
        assertThat(rig.count("schema_version")).isEqualTo(3);
    }

    private static void firstVersion(String kind, DataSource database, String prefix) throws IOException {
        Sql.execute(
                database,
                "CREATE TABLE " + prefix
                        + "schema_version (version int PRIMARY KEY, name varchar(200) NOT NULL, applied_at timestamp"
                        + (kind.equals("mariadb") ? " NOT NULL)" : " with time zone NOT NULL)"));
        apply(kind, database, prefix, 1, "V001__outbox.sql");
    }

    private static void apply(String kind, DataSource database, String prefix, int version, String name)
            throws IOException {
        String path = "/dev/waybill/schema/" + kind + "/" + name;
        try (InputStream script = Objects.requireNonNull(UpgradeTest.class.getResourceAsStream(path))) {
            JdbcStoreConfig config = JdbcStoreConfig.defaults().withTablePrefix(prefix);
            Tables tables = Tables.of(config);
            String sql = tables.script(new String(script.readAllBytes(), StandardCharsets.UTF_8));
            if (kind.equals("mariadb")) {
                runOnMariaDb(database, config, sql);
            } else {
                Sql.execute(database, sql);
            }
        }
        Sql.execute(
                database,
                "INSERT INTO " + prefix + "schema_version VALUES (" + version + ", '" + name + "', CURRENT_TIMESTAMP)");
    }

    private static void runOnMariaDb(DataSource database, JdbcStoreConfig config, String script) {
        Sessions sessions = new Sessions(database, config.statementTimeout(), Connection.TRANSACTION_READ_COMMITTED);
        MariaSchema schema = new MariaSchema(config, Tables.of(config), sessions, MariaProduct.MARIADB);
        sessions.autocommit("apply the first version", connection -> {
            try (Statement statement = connection.createStatement()) {
                schema.run(statement, script);
            }
            return true;
        });
    }

    private static void fill(String kind, DataSource database, String prefix) {
        String columns = "(seq, shard, id, destination, event_key, type, version, content_type, headers, payload,"
                + " occurred_at, attempts, last_error";
        String row =
                "%d, '0198f0a0-0000-7000-8000-0000000000%02d', 'orders', %s, 'T', 1, 'text/plain', '{\"a\":\"b\"}', %s,"
                        + " CURRENT_TIMESTAMP, 3, 'broken'";
        String payload = kind.equals("postgresql") ? "'\\x0102'::bytea" : "X'0102'";
        String now = kind.equals("mariadb") ? "UTC_TIMESTAMP(6)" : "CURRENT_TIMESTAMP";
        int shard = KEY.shard();
        for (int seq : List.of(1, 2)) {
            Sql.execute(
                    database,
                    "INSERT INTO " + prefix + "outbox " + columns + ") VALUES (" + seq + ", "
                            + row.formatted(shard, seq, "'o-1'", payload) + ")");
        }
        for (Object[] dead : new Object[][] {{10, "DEAD"}, {11, "SKIPPED"}, {12, "WAITING"}}) {
            Sql.execute(
                    database,
                    "INSERT INTO " + prefix + "dead_letter " + columns + ", state, died_at) VALUES (" + dead[0] + ", "
                            + row.formatted(shard, dead[0], "'o-1'", payload) + ", '" + dead[1] + "', "
                            + (dead[1].equals("WAITING") ? "NULL" : "CURRENT_TIMESTAMP") + ")");
        }
        Sql.execute(
                database,
                "INSERT INTO " + prefix + "parked_key VALUES ('orders', 'o-1', " + shard
                        + ", 'PARKED', 10, CURRENT_TIMESTAMP)");
        String relay = "'00000000-0000-7000-8000-00000000000a'";
        Sql.execute(
                database,
                "UPDATE " + prefix + "lease SET owner = " + relay + ", epoch = 17, expires_at = " + now
                        + " + INTERVAL '1' HOUR WHERE shard = 0");
        Sql.execute(
                database, "INSERT INTO " + prefix + "relay VALUES (" + relay + ", " + now + " + INTERVAL '1' HOUR)");
    }
}
