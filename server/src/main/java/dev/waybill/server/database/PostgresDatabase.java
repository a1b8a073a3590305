package dev.waybill.server.database;

import dev.waybill.server.cli.Pools;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server of the run's own, on a free port of the loopback interface. */
final class PostgresDatabase implements ScratchDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** Enough for as many relays as there are shards. */
    private static final int MAX_CONNECTIONS = 300;

    private final EmbeddedPostgres server;

    private PostgresDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * The library turns fsync and synchronous_commit off, but what Waybill promises is relative to both. It stops the
     * server when the JVM is told to end; the run ends in its own time, and stops it itself.
     */
    static PostgresDatabase start(Path folder) {
        try {
            return new PostgresDatabase(EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("postgres"))
                    .setPGStartupWait(START_TIMEOUT)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", Integer.toString(MAX_CONNECTIONS))
                    .setRegisterShutdownHook(false)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        }
    }

    @Override
    public String description() {
        return "PostgreSQL 18 embedded";
    }

    @Override
    public String tablePrefix() {
        return "waybill_";
    }

    @Override
    public String table(String name) {
        return "shop_" + name;
    }

    @Override
    public Pools.Target target() {
        return new Pools.Target(server.getJdbcUrl("postgres", "postgres"), "postgres", null);
    }

    /** The data go as a whole when the server stops. */
    @Override
    public void cleanUp() {}

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("The embedded PostgreSQL did not stop cleanly", e);
        }
    }
}
