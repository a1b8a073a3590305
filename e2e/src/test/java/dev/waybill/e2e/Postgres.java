package dev.waybill.e2e;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A durable PostgreSQL server with an empty outbox, for one test class. Thread-safe. */
final class Postgres implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final List<HikariDataSource> pools = new ArrayList<>();

    Postgres() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        store(pool(2)).migrate();
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** A pool of its own: relays and writers must not wait for each other's connections. */
    synchronized HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(size);
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    static JdbcOutboxStore store(HikariDataSource pool) {
        return JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());
    }

    static JdbcOutbox outbox(JdbcOutboxStore store) {
        return new JdbcOutbox(store, OutboxConfig.defaults());
    }

    long count(String query) {
        return column(query).get(0);
    }

    List<Long> column(String query) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            List<Long> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getLong(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    void execute(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    long pending() {
        return count("SELECT count(*) FROM waybill_outbox");
    }

    @Override
    public synchronized void close() throws IOException {
        pools.forEach(HikariDataSource::close);
        server.close();
    }
}
