package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.OutboxLimitException;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("databases")
class JdbcOutboxTest {
    private final DataSource database;
    private final JdbcOutbox outbox;
    private final AtomicInteger signals = new AtomicInteger();

    JdbcOutboxTest(DataSource database) {
        this.database = database;
        JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
        Sql.execute(database, "DELETE FROM waybill_outbox");
        Sql.execute(database, "CREATE TABLE IF NOT EXISTS business (id int)");
        Sql.execute(database, "DELETE FROM business");
        outbox = new JdbcOutbox(store, OutboxConfig.defaults());
        outbox.afterCommit(shards -> signals.incrementAndGet());
    }

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.mariadb(), H2Databases.inMemory());
    }

    @Test
    void workAndEventsAreCommittedTogetherAndThenSignalled() {
        String result = outbox.inTransaction(database, transaction -> {
            Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
            transaction.publish(event());
            transaction.publishAll(List.of(event(), event()));
            assertThat(signals).as("not before the commit").hasValue(0);
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(count("waybill_outbox")).isEqualTo(3);
        assertThat(count("business")).isEqualTo(1);
        assertThat(signals).hasValue(1);
    }

    @Test
    void whateverIsThrownRollsBackAndIsNotSignalled() {
        List<Throwable> failures = List.of(new IllegalStateException("no"), new AssertionError("no"));
        for (Throwable failure : failures) {
            assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                        Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
                        transaction.publish(event());
                        throw sneaky(failure);
                    }))
                    .isSameAs(failure);
        }
        assertThat(count("waybill_outbox")).isZero();
        assertThat(count("business")).isZero();
        assertThat(signals).hasValue(0);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void aFailedStatementIsAStoreExceptionAndRollsBack() {
        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    transaction.publish(event());
                    Sql.execute(transaction.connection(), "INSERT INTO nowhere VALUES (1)");
                    return true;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SQLState");
        assertThat(count("waybill_outbox")).isZero();
    }

    @Test
    void aRefusedEventRollsBackToo() {
        assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> {
                    Sql.execute(transaction.connection(), "INSERT INTO business VALUES (1)");
                    return transaction.publish(Event.to("orders")
                            .type("T")
                            .payload(new byte[2_000_000])
                            .build());
                }))
                .isInstanceOf(OutboxLimitException.class);
        assertThat(count("business")).isZero();
    }

    @Test
    void theConnectionComesBackAsItWas() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        outbox.inTransaction(pool, transaction -> transaction.publish(event()));
        assertThat(pool.connection().getAutoCommit()).isTrue();
        assertThatThrownBy(() -> outbox.inTransaction(pool, transaction -> {
                    transaction.publish(event());
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(pool.connection().getAutoCommit()).isTrue();
        pool.connection().setAutoCommit(false);
        outbox.inTransaction(pool, transaction -> transaction.publish(event()));
        assertThat(pool.connection().getAutoCommit()).isFalse();
        pool.connection().close();

        assertThat(count("waybill_outbox")).isEqualTo(2);
    }

    @Test
    void aFailedRollbackIsKeptBesideTheFailure() throws SQLException {
        OneConnection pool = OneConnection.of(database);
        assertThatThrownBy(() -> outbox.inTransaction(pool, transaction -> {
                    pool.connection().close();
                    throw new IllegalStateException("first");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
    }

    @Test
    void anAutocommitConnectionIsRefusedWithTheWayOut() throws SQLException {
        try (Connection connection = database.getConnection()) {
            Outbox bound = outbox.on(connection);

            assertThatThrownBy(() -> bound.publish(event()))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("autocommit")
                    .hasMessageContaining("setAutoCommit(false)")
                    .hasMessageContaining("inTransaction");
            assertThatThrownBy(() -> bound.cancel(event().id())).isInstanceOf(NoTransactionException.class);
        }
        assertThat(count("waybill_outbox")).isZero();
    }

    @Test
    void aClosedConnectionIsRefused() throws SQLException {
        Connection connection = database.getConnection();
        connection.close();

        assertThatThrownBy(() -> outbox.on(connection).publish(event()))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("closed")
                .hasMessageContaining("inTransaction");
    }

    @Test
    void onItsOwnConnectionTheCallerCommitsAndSignals() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.on(connection).publish(event());
            assertThat(count("waybill_outbox")).isZero();
            connection.commit();
        }
        assertThat(count("waybill_outbox")).isEqualTo(1);
        assertThat(signals).hasValue(0);
        outbox.signal();
        assertThat(signals).hasValue(1);
    }

    @Test
    void aListenerThatThrowsBreaksNeitherTheCallerNorTheOthers() {
        AtomicInteger after = new AtomicInteger();
        outbox.afterCommit(shards -> {
            throw new IllegalStateException("broken listener");
        });
        outbox.afterCommit(shards -> after.incrementAndGet());

        outbox.inTransaction(database, transaction -> transaction.publish(event()));

        assertThat(count("waybill_outbox")).isEqualTo(1);
        assertThat(after).hasValue(1);
    }

    @Test
    void noErrorQuotesAPayload() {
        Event secret = Event.to("orders")
                .type("T")
                .json("{\"card\":\"4111111111111111\"}")
                .build();
        Sql.execute(database, "ALTER TABLE waybill_outbox ADD CONSTRAINT no_more CHECK (version < 1000)");
        try {
            Event refused = Event.to("orders")
                    .type("T")
                    .version(2000)
                    .key("4111111111111111")
                    .json("{\"card\":\"4111111111111111\"}")
                    .build();
            for (List<Event> events : List.of(List.of(refused), List.of(secret, refused))) {
                assertThatThrownBy(() -> outbox.inTransaction(database, transaction -> transaction.publishAll(events)))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("SQLState 23")
                        .satisfies(e -> {
                            StringWriter trace = new StringWriter();
                            e.printStackTrace(new PrintWriter(trace));
                            // As text, and as the hexadecimal form in which a database quotes bytes.
                            assertThat(trace.toString())
                                    .doesNotContain("4111111111111111")
                                    .doesNotContain("3431313131");
                        });
            }
        } finally {
            Sql.execute(database, "ALTER TABLE waybill_outbox DROP CONSTRAINT no_more");
        }
    }

    private static Event event() {
        return Event.to("orders").key("o-1").type("T").json("{}").build();
    }

    private long count(String table) {
        return Sql.number(database, "SELECT count(*) FROM " + table);
    }
}
