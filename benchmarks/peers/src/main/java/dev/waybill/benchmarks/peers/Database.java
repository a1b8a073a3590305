package dev.waybill.benchmarks.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Site;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The pool of a peer. Safe for many threads. */
final class Database implements AutoCloseable {
    /** A lost beat of a pool must not end a measurement. */
    private static final int CONNECTION_TIMEOUT_MILLIS = 60_000;

    private final HikariDataSource pool;
    private final int connections;

    /** Connects with the first use. */
    Database(Site site, int forDelivery) {
        connections = site.writers() + forDelivery;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(site.jdbcUrl());
        config.setUsername(site.user());
        config.setPassword(site.password());
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        // Several events of one transaction become one statement where a peer sends them as a batch.
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool = new HikariDataSource(config);
    }

    DataSource pool() {
        return pool;
    }

    String settings() {
        return "Hikari pool of " + connections + ", reWriteBatchedInserts";
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    void installPurchases() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Purchases.install(connection);
        }
    }

    /** As autovacuum would have done on a table that grew in its own time. */
    void settle(String table) throws SQLException {
        execute("VACUUM (ANALYZE) " + table);
    }

    @Override
    public void close() {
        pool.close();
    }
}
