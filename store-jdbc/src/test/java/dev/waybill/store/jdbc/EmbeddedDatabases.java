package dev.waybill.store.jdbc;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Real servers for the tests: one per kind, version and JVM, started on first use and stopped when the JVM ends.
 *
 * <p>Thread-safe. Every call answers a database of its own, so tests need not clean up after each other.
 */
final class EmbeddedDatabases {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Server POSTGRES_18 = new Server(DefaultPostgresBinaryResolver.INSTANCE);
    private static final Server POSTGRES_16 = new Server(new CopiedJar(Path.of("target", "postgres-16")));

    private EmbeddedDatabases() {}

    static DataSource postgres18() {
        return POSTGRES_18.freshDatabase();
    }

    static DataSource postgres16() {
        return POSTGRES_16.freshDatabase();
    }

    static DataSource mariadb() {
        return EmbeddedMariaDb.freshDatabase();
    }

    private static final class Server {

        private final PgBinaryResolver binaries;
        private final AtomicInteger databases = new AtomicInteger();
        private @Nullable EmbeddedPostgres running;

        Server(PgBinaryResolver binaries) {
            this.binaries = binaries;
        }

        DataSource freshDatabase() {
            EmbeddedPostgres server = running();
            String name = "waybill_" + databases.incrementAndGet();
            try (var connection = server.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name);
            } catch (SQLException e) {
                throw new IllegalStateException("Could not create database " + name, e);
            }
            return server.getDatabase("postgres", name);
        }

        private synchronized EmbeddedPostgres running() {
            if (running == null) {
                running = start();
            }
            return running;
        }

        /** The library turns fsync and synchronous_commit off; what we promise is relative to both being on. */
        private EmbeddedPostgres start() {
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setPgBinaryResolver(binaries)
                        .setPGStartupWait(START_TIMEOUT)
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("max_prepared_transactions", "10")
                        .setRegisterShutdownHook(false)
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException("PostgreSQL did not start within " + START_TIMEOUT, e);
            }
        }
    }

    /** The library waits five seconds for a stop, and what the tests have written may take longer to reach the disk. */
    private static void stop(EmbeddedPostgres server) {
        try (server;
                var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("PostgreSQL did not stop", e);
        }
    }

    /**
     * Reads the server from the one jar in a folder that the build fills before the tests (see the pom).
     *
     * <p>The library's own resolver looks on the class path, where only one version has room. The build copies the
     * jar of this machine's system, so neither argument has anything left to choose.
     */
    private record CopiedJar(Path folder) implements PgBinaryResolver {

        @Override
        public InputStream getPgBinary(String system, String machineHardware) throws IOException {
            try (var jar = new ZipFile(onlyJar().toFile())) {
                ZipEntry archive = jar.stream()
                        .filter(entry -> entry.getName().endsWith(".txz"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("No .txz archive in " + jar.getName()));
                try (var content = jar.getInputStream(archive)) {
                    return new ByteArrayInputStream(content.readAllBytes());
                }
            }
        }

        private Path onlyJar() throws IOException {
            if (!Files.isDirectory(folder)) {
                throw new IOException(folder.toAbsolutePath()
                        + " is missing: run `./mvnw -pl store-jdbc -am process-test-resources` once");
            }
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                var found = jars.iterator();
                if (!found.hasNext()) {
                    throw new IOException("No jar in " + folder.toAbsolutePath());
                }
                Path jar = found.next();
                if (found.hasNext()) {
                    throw new IOException("More than one jar in " + folder.toAbsolutePath() + ": run `./mvnw clean`");
                }
                return jar;
            }
        }
    }
}
