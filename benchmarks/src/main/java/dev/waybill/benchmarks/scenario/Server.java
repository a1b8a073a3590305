package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.contender.Site;
import dev.waybill.server.cli.Pools;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL of the run, with a database for each contender. Not thread-safe. */
final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final Set<String> databases = new HashSet<>();

    private Server(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Starts one. The library turns fsync and synchronous_commit off: both are on here, as they are by default. It ends
     * the server when this process is told to end.
     *
     * @param walLevel {@code replica}, the default, or {@code logical}, which log-based peers need
     */
    static Server start(Path folder, String walLevel) {
        try {
            return new Server(EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("postgres"))
                    .setPGStartupWait(START_TIMEOUT)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("wal_level", walLevel)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        }
    }

    private Pools.Target main() {
        return target(USER);
    }

    /** Where a contender works: a database of this name, made when it is first asked for. */
    Site site(String name, int writers, Map<String, String> options) {
        if (databases.add(name)) {
            execute(main(), "CREATE DATABASE " + name);
        }
        return new Site(target(name).url(), USER, USER, writers, options);
    }

    private Pools.Target target(String name) {
        return new Pools.Target(server.getJdbcUrl(USER, name), USER, USER);
    }

    /** So that no checkpoint of what was before falls into the measurement, and pages that follow need no second image. */
    void checkpoint() {
        execute(main(), "CHECKPOINT");
    }

    void execute(String name, String sql) {
        execute(target(name), sql);
    }

    Connection connect(String name) throws SQLException {
        return Pools.connect(target(name));
    }

    long number(String name, String sql) {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("Failed: " + sql, e);
        }
    }

    String setting(String name) {
        try (Connection connection = Pools.connect(main());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("No setting " + name, e);
        }
    }

    /** Removes what the scenario before has left, so that it costs the next one nothing. */
    void dropDatabases() {
        databases.forEach(name -> execute(main(), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"));
        databases.clear();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("The embedded PostgreSQL did not stop cleanly", e);
        }
    }

    private static void execute(Pools.Target target, String sql) {
        try (Connection connection = Pools.connect(target);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Failed: " + sql, e);
        }
    }
}
