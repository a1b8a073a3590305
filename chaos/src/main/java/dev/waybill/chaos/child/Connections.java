package dev.waybill.chaos.child;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pools as a service would set them up that expects its database to go away now and then. */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    /** For a connection that does not come, and for one that does not answer any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A process that has just begun, on a machine that is short of time, needs longer for its first one. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(10);

    private static final Duration VALIDATION = Duration.ofSeconds(1);

    private Connections() {}

    static HikariDataSource open(Arguments arguments, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments.text("url"));
        config.setUsername(arguments.text("user"));
        config.setPassword(arguments.text("password"));
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(FIRST_PATIENCE.toMillis());
        config.setValidationTimeout(VALIDATION.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection first = pool.getConnection()) {
            pool.getHikariConfigMXBean().setConnectionTimeout(PATIENCE.toMillis());
            LOG.debug("Connected to {}", first);
            return pool;
        } catch (SQLException e) {
            pool.close();
            throw new IllegalStateException("The database did not answer", e);
        }
    }

    static boolean isPostgres(Arguments arguments) {
        return arguments.text("url").startsWith("jdbc:postgresql:");
    }
}
