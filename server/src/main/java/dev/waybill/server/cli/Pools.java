package dev.waybill.server.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Connections to a database that the user named. */
public final class Pools {
    private static final int CONNECT_MILLIS = 10_000;

    private Pools() {}

    /** A pool that makes its connections on demand. */
    public static HikariDataSource open(Target target, String name, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(target.url());
        config.setUsername(target.user());
        config.setPassword(target.password());
        config.setPoolName(name);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return new HikariDataSource(config);
    }

    /**
     * Connects once, to find out early whether it works.
     *
     * @throws UsageException in one line, without the password
     */
    public static void requireReachable(Target target) {
        try (Connection connection = connect(target)) {
            connection.getMetaData().getDatabaseProductName();
        } catch (SQLException e) {
            throw new UsageException("cannot connect to " + target + ": " + firstLine(e), e);
        }
    }

    /** One connection outside of any pool. */
    public static Connection connect(Target target) throws SQLException {
        Properties properties = new Properties();
        if (target.user() != null) {
            properties.setProperty("user", target.user());
        }
        if (target.password() != null) {
            properties.setProperty("password", target.password());
        }
        return DriverManager.getConnection(target.url(), properties);
    }

    private static String firstLine(SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (message.startsWith("No suitable driver")) {
            return "there is no driver for this kind of URL; jdbc:postgresql:, jdbc:mariadb: and jdbc:h2: are known";
        }
        return message.lines().findFirst().orElse(e.toString());
    }

    /** A database: a JDBC URL and who to connect as. */
    public record Target(
            String url, @Nullable String user, @Nullable String password) {

        /** Without parameters, which may hold a password. */
        @Override
        public String toString() {
            return url.split("[?;]", 2)[0];
        }
    }
}
