package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** Events that are published last go with the commit; nobody sees a difference to events that were written at once. */
class PostgresWaitingEventsTest {
    private final DataSource database = EmbeddedDatabases.postgres18();
    private final StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults());
    private final JdbcOutbox outbox = new JdbcOutbox(rig.store, OutboxConfig.defaults());

    @BeforeEach
    void createTables() {
        Sql.execute(database, "CREATE TABLE business (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    }

    @Test
    void whatIsPublishedLastIsWrittenAndCommittedInOneRoundTrip() throws SQLException {
        OneConnection recorder = OneConnection.of(database);

        outbox.inTransaction(recorder, transaction -> {
            Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
            transaction.publish(event("a"));
            transaction.publishAll(List.of(event("b"), event("c")));
            return transaction.publish(event("d"));
        });

        assertThat(recorder.prepared())
                .singleElement()
                .asString()
                .startsWith("INSERT INTO waybill_outbox")
                .endsWith("; COMMIT");
        assertThat(keys()).isEqualTo("a b c d");
        assertThat(Sql.number(database, "SELECT count(*) FROM business")).isEqualTo(1);
    }

    @Test
    void aStatementThatFollowsFindsTheEventsWritten() {
        outbox.inTransaction(database, transaction -> {
            Connection connection = transaction.connection();
            try (PreparedStatement earlier = connection.prepareStatement("SELECT count(*) FROM waybill_outbox")) {
                transaction.publish(event("a"));
                assertThat(number(earlier)).isEqualTo(1);
                transaction.publish(event("b"));
                assertThat(number(earlier)).isEqualTo(2);
                assertThat(earlier.getConnection()).isSameAs(connection).isEqualTo(connection);
            }
            return transaction.publish(event("c"));
        });
        assertThat(keys()).isEqualTo("a b c");
    }

    @Test
    void aSavepointThatIsRolledBackTakesItsEventsAlong() {
        outbox.inTransaction(database, transaction -> {
            transaction.publish(event("before"));
            Savepoint savepoint = transaction.connection().setSavepoint();
            transaction.publish(event("ghost"));
            transaction.connection().rollback(savepoint);
            return transaction.publish(event("after"));
        });
        assertThat(keys()).isEqualTo("before after");
    }

    @Test
    void soDoesOneThatIsWrittenAsText() {
        outbox.inTransaction(database, transaction -> {
            try (Statement statement = transaction.connection().createStatement()) {
                transaction.publish(event("before"));
                statement.execute("SAVEPOINT here");
                transaction.publish(event("ghost"));
                statement.execute("ROLLBACK TO SAVEPOINT here");
            }
            return transaction.publish(event("after"));
        });
        assertThat(keys()).isEqualTo("before after");
    }

    @Test
    void whoHasTheDriversConnectionSeesAllEvents() {
        outbox.inTransaction(database, transaction -> {
            transaction.publish(event("a"));
            Connection direct = (Connection) transaction.connection().unwrap(PGConnection.class);
            try (PreparedStatement count = direct.prepareStatement("SELECT count(*) FROM waybill_outbox")) {
                assertThat(number(count)).isEqualTo(1);
                transaction.publish(event("b"));
                assertThat(number(count))
                        .as("nobody would see what happens next")
                        .isEqualTo(2);
            }
            return true;
        });
        assertThat(keys()).isEqualTo("a b");
    }

    @Test
    void manyEventsDoNotWaitTogether() {
        int many = 2 * PostgresWriter.MOST_ROWS + 5;
        outbox.inTransaction(database, transaction -> {
            IntStream.range(0, many).forEach(i -> transaction.publish(event("one-by-one")));
            transaction.publishAll(
                    IntStream.range(0, many).mapToObj(i -> event("together")).toList());
            return true;
        });
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox")).isEqualTo(2L * many);
        assertThat(text("SELECT (min(seq) FILTER (WHERE event_key = 'together')"
                        + " > max(seq) FILTER (WHERE event_key = 'one-by-one'))::text FROM waybill_outbox"))
                .isEqualTo("true");
    }

    @Test
    void largeEventsDoNotWaitForEachOther() throws SQLException {
        OneConnection recorder = OneConnection.of(database);

        outbox.inTransaction(recorder, transaction -> {
            IntStream.range(0, 3).forEach(i -> transaction.publish(large("large-" + i)));
            return true;
        });

        assertThat(recorder.prepared()).hasSize(3);
        assertThat(keys()).isEqualTo("large-0 large-1 large-2");
    }

    @Test
    void strictKeysAreLockedAndWrittenAtOnceBehindWhatWaits() throws SQLException {
        OneConnection recorder = OneConnection.of(database);
        JdbcOutbox strict = new JdbcOutbox(rig.store, OutboxConfig.defaults().withStrictDestinations(Set.of("strict")));

        strict.inTransaction(recorder, transaction -> {
            transaction.publish(event("first"));
            transaction.publish(
                    Event.to("strict").key("second").type("T").json("{}").build());
            return transaction.publish(event("third"));
        });

        assertThat(recorder.prepared()).hasSize(4);
        assertThat(recorder.prepared().get(0)).startsWith("INSERT").doesNotContain("COMMIT");
        assertThat(recorder.prepared().get(1)).contains("pg_advisory_xact_lock");
        assertThat(recorder.prepared().get(2)).startsWith("INSERT").doesNotContain("COMMIT");
        assertThat(recorder.prepared().get(3)).startsWith("INSERT").endsWith("; COMMIT");
        assertThat(keys()).isEqualTo("first second third");
    }

    @Test
    void eventsOfAnotherOutboxGoToItsOwnTables() {
        JdbcOutboxStore otherStore =
                JdbcOutboxStore.create(database, JdbcStoreConfig.defaults().withTablePrefix("other_"));
        otherStore.migrate();
        JdbcOutbox other = new JdbcOutbox(otherStore, OutboxConfig.defaults());

        outbox.inTransaction(database, transaction -> {
            transaction.publish(event("ours"));
            other.on(transaction.connection()).publish(event("theirs"));
            return transaction.publish(event("ours again"));
        });

        assertThat(keys()).isEqualTo("ours ours again");
        assertThat(text("SELECT string_agg(event_key, ' ' ORDER BY seq) FROM other_outbox"))
                .isEqualTo("theirs");
    }

    @Test
    void aFailureThatShowsAtAnotherStatementSaysWhatItIsAboutAndQuotesNothing() {
        refuseVersion2000();

        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    transaction.publish(refused());
                    assertThatThrownBy(() -> Sql.execute(transaction.connection(), "SELECT 1"))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("1 event(s) that were published before this")
                            .hasStackTraceContaining("violates check constraint")
                            .satisfies(e -> assertThat(String.valueOf(e.getCause()))
                                    .doesNotContain("4111111111111111")
                                    .doesNotContain("3431313131"));
                    return true;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("swallowed");
        assertNothingIsThere();
    }

    @Test
    void eventsThatCouldNotBeWrittenAreMissedAtTheCommitAlthoughTheTransactionGoesOn() throws SQLException {
        refuseVersion2000();
        DataSource forgiving = driver("extended", AutoSave.ALWAYS);

        assertThatThrownBy(() -> outbox.inTransaction(forgiving, transaction -> {
                    transaction.publish(refused());
                    assertThatThrownBy(() -> Sql.execute(transaction.connection(), "SELECT 1"))
                            .isInstanceOf(SQLException.class);
                    Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
                    return true;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("swallowed");

        assertNothingIsThere();
    }

    @Test
    void aTransactionThatTheWorkRollsBackLeavesNoEvent() {
        outbox.inTransaction(database, transaction -> {
            Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
            transaction.publish(event("gone"));
            transaction.connection().rollback();
            return true;
        });
        assertNothingIsThere();
    }

    @Test
    void nothingWaitsBehindTheEnd() throws SQLException {
        Connection shared = database.getConnection();
        shared.setAutoCommit(false);
        OneConnection pool = new OneConnection(shared);
        JdbcTransaction leaked = outbox.inTransaction(pool, transaction -> transaction);

        leaked.publish(event("late"));
        shared.commit();

        assertThat(keys()).isEqualTo("late");
        shared.close();
    }

    @Test
    void anEventThatTheDatabaseRefusesIsNotCommittedAndNeitherIsTheRest() {
        refuseVersion2000();

        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
                    return transaction.publish(refused());
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SQLState 23514");

        assertNothingIsThere();
    }

    @Test
    void aCommitThatAConstraintRefusesCommitsNoEvent() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        assertThatThrownBy(() -> outbox.inTransaction(pool, transaction -> {
                    Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1), (1)");
                    return transaction.publish(event("a"));
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SQLState 23505");

        assertNothingIsThere();
        assertThat(pool.connection().getAutoCommit()).isTrue();
    }

    @Test
    void aSwallowedErrorIsToldWithEventsToo() {
        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    assertThatThrownBy(() -> Sql.execute(transaction.connection(), "INSERT INTO nowhere VALUES (1)"))
                            .isInstanceOf(SQLException.class);
                    return transaction.publish(event("a"));
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("swallowed");
        assertNothingIsThere();
    }

    @Test
    void aLostConnectionIsAFailure() {
        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    try (PreparedStatement session =
                            transaction.connection().prepareStatement("SELECT pg_backend_pid()")) {
                        Sql.execute(database, "SELECT pg_terminate_backend(" + number(session) + ")");
                    }
                    return transaction.publish(event("a"));
                }))
                .isInstanceOf(StoreException.class);
        assertNothingIsThere();
    }

    @Test
    void aTransactionThatWasBegunElsewhereIsEndedByItsConnection() throws SQLException {
        OneConnection recorder = OneConnection.of(database);
        recorder.connection().setAutoCommit(false);

        outbox.inTransaction(recorder, transaction -> transaction.publish(event("a")));

        assertThat(recorder.prepared()).singleElement().asString().doesNotContain("COMMIT");
        assertThat(keys()).isEqualTo("a");
    }

    @Test
    void itWorksInEveryModeOfTheDriver() throws SQLException {
        refuseVersion2000();
        for (String mode : List.of("simple", "extended", "extendedForPrepared", "extendedCacheEverything")) {
            for (AutoSave autosave : AutoSave.values()) {
                OneConnection pool = OneConnection.of(driver(mode, autosave));
                // The driver names a statement on the server from its fifth use on.
                for (int i = 0; i < 8; i++) {
                    outbox.inTransaction(pool, transaction -> publishAndBuy(transaction, event("a")));
                    assertThatThrownBy(() ->
                                    outbox.inTransaction(pool, transaction -> publishAndBuy(transaction, refused())))
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("SQLState 23514");
                }
                pool.connection().close();
                assertThat(pool.prepared()).hasSize(16).allMatch(sql -> sql.endsWith("; COMMIT"));
                for (String table : List.of("waybill_outbox", "business")) {
                    assertThat(Sql.number(database, "SELECT count(*) FROM " + table))
                            .as("%s, autosave %s", mode, autosave)
                            .isEqualTo(8);
                    Sql.execute(database, "DELETE FROM " + table);
                }
            }
        }
    }

    private static boolean publishAndBuy(JdbcTransaction transaction, Event event) throws SQLException {
        Sql.execute(transaction.connection(), "INSERT INTO business SELECT COALESCE(max(id), 0) + 1 FROM business");
        transaction.publish(event);
        return true;
    }

    private DataSource driver(String mode, AutoSave autosave) throws SQLException {
        PGSimpleDataSource driver = (PGSimpleDataSource) database;
        PGSimpleDataSource other = new PGSimpleDataSource();
        other.setUrl(driver.getUrl());
        other.setUser(driver.getUser());
        other.setPassword(driver.getPassword());
        other.setProperty("preferQueryMode", mode);
        other.setAutosave(autosave);
        return other;
    }

    private void refuseVersion2000() {
        Sql.execute(database, "ALTER TABLE waybill_outbox ADD CONSTRAINT no_more CHECK (version < 1000)");
    }

    private static Event refused() {
        return Event.to("orders")
                .type("T")
                .version(2000)
                .json("{\"card\":\"4111111111111111\"}")
                .build();
    }

    private void assertNothingIsThere() {
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox")).isZero();
        assertThat(Sql.number(database, "SELECT count(*) FROM business")).isZero();
    }

    private static Event event(String key) {
        return Event.to("orders").key(key).type("T").json("{}").build();
    }

    private static Event large(String key) {
        return Event.to("orders").key(key).type("T").payload(new byte[700_000]).build();
    }

    private static long number(PreparedStatement query) throws SQLException {
        try (var rows = query.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private String keys() {
        return text("SELECT string_agg(event_key, ' ' ORDER BY seq) FROM waybill_outbox");
    }

    private String text(String sql) {
        return Sql.unchecked(() -> {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        });
    }
}
