package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.operations.Administration;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.testkit.store.StoreFixture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** A store with empty tables for one test of the contract, in a database that the test class shares. */
final class JdbcStoreFixture implements StoreFixture {
    // No test of the contract replays while a settle is open: ReplayRaceTest does, with the real margin.
    private static final Duration REPLAY_MARGIN = Duration.ofMillis(200);

    private final DataSource dataSource;
    private final boolean mariadb;
    private final JdbcOutboxStore store;

    JdbcStoreFixture(DataSource dataSource, Duration retention) {
        this(dataSource, JdbcStoreConfig.defaults().withRetention(retention));
    }

    JdbcStoreFixture(DataSource dataSource, JdbcStoreConfig config) {
        this.dataSource = dataSource;
        this.mariadb = Sql.unchecked(() -> {
            try (Connection connection = dataSource.getConnection()) {
                return connection.getMetaData().getDatabaseProductName().equals("MariaDB");
            }
        });
        // There a settle has several steps that may take so long.
        this.store = JdbcOutboxStore.create(dataSource, config, mariadb ? REPLAY_MARGIN.dividedBy(4) : REPLAY_MARGIN);
        store.migrate();
        for (String table : List.of(
                "outbox",
                "dead_letter",
                "parked_key",
                "relay",
                "pause",
                "history",
                "audit",
                "replay",
                "processed",
                "redriven")) {
            Sql.execute(dataSource, "DELETE FROM waybill_" + table);
        }
        Sql.execute(dataSource, "UPDATE waybill_lease SET owner = NULL");
    }

    @Override
    public OutboxStore store() {
        return store;
    }

    @Override
    public Administration administration() {
        return store;
    }

    @Override
    public Transaction begin() {
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new JdbcTransactionOfTest(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Instant now() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            String now = mariadb ? "SELECT UTC_TIMESTAMP(6)" : "SELECT CURRENT_TIMESTAMP";
            try (ResultSet rows = statement.executeQuery(now)) {
                rows.next();
                return mariadb
                        ? rows.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                        : rows.getObject(1, OffsetDateTime.class).toInstant();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void passTime(Duration duration) {
        Instant until = now().plus(duration);
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> now().isAfter(until));
    }

    @Override
    public Duration replayMargin() {
        return REPLAY_MARGIN;
    }

    @Override
    public long countPending(long atMost) {
        return store.countPending(atMost);
    }

    @Override
    public void close() {}

    private final class JdbcTransactionOfTest implements Transaction {
        private final Connection connection;

        JdbcTransactionOfTest(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void append(List<Event> events, Set<OrderKey> strictKeys) {
            store.append(connection, events, strictKeys);
        }

        @Override
        public boolean cancel(UUID id) {
            return store.cancel(connection, id);
        }

        @Override
        public Object savepoint() {
            return Sql.unchecked(() -> connection.setSavepoint());
        }

        @Override
        public void rollbackTo(Object savepoint) {
            Sql.unchecked(() -> {
                connection.rollback((Savepoint) savepoint);
                return true;
            });
        }

        @Override
        public void commit() {
            Sql.unchecked(() -> {
                connection.commit();
                connection.setAutoCommit(true);
                return true;
            });
        }

        @Override
        public void rollback() {
            Sql.unchecked(() -> {
                connection.rollback();
                connection.setAutoCommit(true);
                return true;
            });
        }

        @Override
        public void close() {
            Sql.unchecked(() -> {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                connection.close();
                return true;
            });
        }
    }
}
