package dev.waybill.store.jdbc;

import dev.waybill.store.EntryReader;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MariaDB, and MySQL by the same statements. Each topic is a class of its own; here they come together. */
final class MariaDialect implements Dialect {
    private static final Logger log = LoggerFactory.getLogger(MariaDialect.class);
    private static final long SMALLEST_PACKET = 4L << 20;

    private final MariaSchema schema;
    private final MariaLeases leases;
    private final MariaReader reader;
    private final MariaSettler settler;
    private final MariaWriter writer;
    private final MariaFlavour flavour;
    private final Transactor transactor;
    private final PlainHistory history;

    MariaDialect(JdbcStoreConfig config, DataSource dataSource, MariaProduct product) {
        if (product == MariaProduct.MYSQL) {
            log.info("This is MySQL, on which Waybill was not tested; MariaDB is what its statements are tested on");
        }
        // Told that connections come with READ COMMITTED: MariaSessions sets it, for transactions only.
        Sessions lent = new Sessions(dataSource, config.statementTimeout(), Connection.TRANSACTION_READ_COMMITTED);
        Sessions migrating =
                new Sessions(dataSource, JdbcOutboxStore.MIGRATION_TIMEOUT, Connection.TRANSACTION_READ_COMMITTED);
        Sessions unhurried = new Sessions(dataSource, Transactor.LONGEST_READ, Connection.TRANSACTION_READ_COMMITTED);
        Tables tables = Tables.of(config);
        MariaSessions sessions = new MariaSessions(lent, product, config.statementTimeout());
        MariaFence fence = new MariaFence(tables);
        MariaWriters writers = new MariaWriters(tables);
        flavour = new MariaFlavour(tables, writers);
        transactor = new MariaTransactor(sessions, new MariaSessions(unhurried, product, Transactor.LONGEST_READ));
        EntryRows entryRows = new EntryRows(flavour, config);
        SqlSteps steps = new SqlSteps(flavour);
        schema = new MariaSchema(config, tables, migrating, product);
        leases = new MariaLeases(sessions, tables);
        reader = new MariaReader(sessions, tables, writers, flavour, entryRows);
        settler = new MariaSettler(sessions, product, tables, fence, new ParkedKeys(tables, steps), config.retention());
        writer = new MariaWriter(
                sessions,
                tables,
                writers,
                entryRows,
                lent.autocommit("look at the server's settings", MariaDialect::check));
        history = new PlainHistory(tables, transactor, steps, config.retention());
    }

    /** Refuses a server that could not work, and answers how large a statement may be. */
    private static long check(Connection connection) throws SQLException {
        String sql = "SELECT @@max_allowed_packet, @@log_bin, @@binlog_format, @@innodb_flush_log_at_trx_commit";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            long maxPacket = rows.getLong(1);
            if (maxPacket < SMALLEST_PACKET) {
                throw new StoreException(
                        "The server takes statements of up to " + maxPacket
                                + " bytes (max_allowed_packet). Waybill needs " + SMALLEST_PACKET
                                + " to write and settle in batches: raise it on the server.",
                        null);
            }
            if (rows.getBoolean(2) && "STATEMENT".equals(rows.getString(3))) {
                throw new StoreException(
                        "The server logs statements (binlog_format = STATEMENT), and InnoDB refuses READ COMMITTED"
                                + " transactions with that. Set binlog_format to MIXED or ROW.",
                        null);
            }
            if (rows.getInt(4) != 1) {
                log.warn(
                        "innodb_flush_log_at_trx_commit is not 1: committed events can be lost when the server crashes");
            }
            return maxPacket;
        }
    }

    @Override
    public LeaseStore leases() {
        return leases;
    }

    @Override
    public EntryReader reader() {
        return reader;
    }

    @Override
    public EntrySettler settler() {
        return settler;
    }

    @Override
    public EntryWriter<Connection> writer() {
        return writer;
    }

    @Override
    public HistoryKeeper history() {
        return history;
    }

    @Override
    public SqlFlavour flavour() {
        return flavour;
    }

    @Override
    public Transactor transactor() {
        return transactor;
    }

    @Override
    public void migrate() {
        schema.migrate();
    }
}
