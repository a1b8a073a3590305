package dev.waybill.chaos.stage;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.proxy.TcpProxy;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.testkit.kafka.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a run, with all tables and topics, and the networks to them.
 *
 * @param disk            of the database; {@code null}: it shares the machine's
 * @param consumersTarget how to reach the schema of the consumers
 * @param databaseLinks   what each relay reaches the database through
 * @param brokerLinks     what each relay reaches the broker through
 */
record Backstage(
        @Nullable SmallDisk disk,
        DatabaseServer database,
        Pools.Target consumersTarget,
        BrokerServer broker,
        List<TcpProxy> databaseLinks,
        List<TcpProxy> brokerLinks) {
    private static final int PARTITIONS = 6;

    static Backstage open(Settings settings, Path folder, Databases kind) {
        SmallDisk disk = settings.faults().contains(FaultKind.DISK_FULL) ? SmallDisk.mount(folder) : null;
        DatabaseServer database = kind.start(disk == null ? folder : disk.folder(), folder);
        try {
            Pools.Target consumers = prepare(database);
            List<TcpProxy> databaseLinks = new ArrayList<>();
            List<TcpProxy> brokerLinks = new ArrayList<>();
            List<Integer> relayPorts = new ArrayList<>();
            for (int i = 0; i < settings.relays(); i++) {
                relayPorts.add(FreePorts.next());
                databaseLinks.add(TcpProxy.start(FreePorts.next(), database.port()));
                brokerLinks.add(TcpProxy.start(FreePorts.next(), relayPorts.get(i)));
            }
            BrokerServer broker = new BrokerServer(
                    folder, relayPorts, brokerLinks.stream().map(TcpProxy::port).toList());
            broker.start();
            broker.createTopics(Settings.DESTINATIONS, PARTITIONS);
            return new Backstage(disk, database, consumers, broker, databaseLinks, brokerLinks);
        } catch (IOException e) {
            close(database, disk);
            throw new UncheckedIOException("The networks could not be set up", e);
        } catch (RuntimeException e) {
            close(database, disk);
            throw e;
        }
    }

    private static Pools.Target prepare(DatabaseServer database) {
        try (HikariDataSource pool = database.pool("chaos-outbox", 2)) {
            JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults()).migrate();
            execute(pool, "CREATE TABLE booking (id bigint PRIMARY KEY)");
        }
        Pools.Target consumers = database.createSchema("consumer");
        try (HikariDataSource pool = Pools.open(consumers, "chaos-inbox", 2)) {
            JdbcOutboxStore.create(pool, JdbcStoreConfig.siding()).migrate();
            execute(
                    pool,
                    "CREATE TABLE effect (" + database.numberColumn() + ", event varchar(36) NOT NULL,"
                            + " destination varchar(100) NOT NULL, event_key varchar(255), at_millis bigint NOT NULL)");
        }
        return consumers;
    }

    private static void execute(HikariDataSource pool, String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Failed: " + sql, e);
        }
    }

    void close() {
        broker.close();
        databaseLinks.forEach(TcpProxy::close);
        brokerLinks.forEach(TcpProxy::close);
        close(database, disk);
    }

    private static void close(DatabaseServer database, @Nullable SmallDisk disk) {
        database.close();
        if (disk != null) {
            disk.close();
        }
    }
}
