package dev.waybill.server.ops;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.operations.Administration;
import dev.waybill.operations.Operations;
import dev.waybill.replay.Replays;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** An outbox to look into and to decide about, until closed. Creates and upgrades no tables. */
final class Desk implements Administration, AutoCloseable {
    private static final int CONNECTIONS = 2;

    private final HikariDataSource pool;
    private final Administration administration;

    private Desk(HikariDataSource pool, Administration administration) {
        this.pool = pool;
        this.administration = administration;
    }

    static Desk open(Pools.Target target, JdbcStoreConfig config) {
        Pools.requireReachable(target);
        HikariDataSource pool = Pools.open(target, "waybill-ops", CONNECTIONS);
        try {
            requireTables(pool, config, target);
            return new Desk(pool, JdbcOutboxStore.create(pool, config));
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    @Override
    public Operations operations() {
        return administration.operations();
    }

    @Override
    public DeadLetters deadLetters() {
        return administration.deadLetters();
    }

    @Override
    public Replays replays() {
        return administration.replays();
    }

    @Override
    public AuditTrail auditTrail() {
        return administration.auditTrail();
    }

    @Override
    public void close() {
        pool.close();
    }

    private static void requireTables(DataSource pool, JdbcStoreConfig config, Pools.Target target) {
        String tables = (config.schema() == null ? "" : config.schema() + ".") + config.tablePrefix();
        unreadable(pool, tables + "outbox").ifPresent(reason -> {
            throw new FailedException("cannot read the table " + tables + "outbox in " + target
                    + "; is it the right database, --schema and --prefix? The database says: " + reason);
        });
        // One of each later version.
        for (String table : List.of("audit", "redriven")) {
            unreadable(pool, tables + table).ifPresent(reason -> {
                throw new FailedException("cannot read the table " + tables + table + " in " + target
                        + "; if the tables are of an older Waybill, a relay of this version upgrades them when it"
                        + " starts. The database says: " + reason);
            });
        }
    }

    /** The names were checked by the store's configuration: nothing can be injected. */
    private static Optional<String> unreadable(DataSource pool, String table) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT 1 FROM " + table + " WHERE 1 = 0").close();
            return Optional.empty();
        } catch (SQLException e) {
            return String.valueOf(e.getMessage()).lines().findFirst();
        }
    }
}
