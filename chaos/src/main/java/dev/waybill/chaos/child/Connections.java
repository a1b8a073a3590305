package dev.waybill.chaos.child;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** Pools as a service would set them up that expects its database to go away now and then. */
final class Connections {
    /** For a connection that does not come, and for one that does not answer any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration VALIDATION = Duration.ofSeconds(1);

    private Connections() {}

    static HikariDataSource open(Arguments arguments, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments.text("url"));
        config.setUsername(arguments.text("user"));
        config.setPassword(arguments.text("password"));
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setValidationTimeout(VALIDATION.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return new HikariDataSource(config);
    }

    static boolean isPostgres(Arguments arguments) {
        return arguments.text("url").startsWith("jdbc:postgresql:");
    }
}
