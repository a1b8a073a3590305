package dev.waybill.store.jdbc;

import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upkeep of the schema on MariaDB.
 *
 * <p>DDL commits by itself, so that a script can stop half-way. It is run again then, and what is there already is passed
 * over. Who migrates holds a lock of its session, which ends with it.
 */
final class MariaSchema {
    private static final Logger log = LoggerFactory.getLogger(MariaSchema.class);
    // A table, a column, an index that exists.
    private static final Set<Integer> THERE_ALREADY = Set.of(1050, 1060, 1061);

    private final @Nullable String schema;
    private final Tables tables;
    private final Sessions sessions;
    private final MariaProduct product;

    MariaSchema(JdbcStoreConfig config, Tables tables, Sessions sessions, MariaProduct product) {
        this.schema = config.schema();
        this.tables = tables;
        this.sessions = sessions;
        this.product = product;
    }

    void migrate() {
        sessions.autocommit("migrate its tables", connection -> {
            String lock = String.format("waybill_migrate_%016x", tables.lockId("migrate"));
            long seconds = JdbcOutboxStore.MIGRATION_TIMEOUT.toSeconds();
            if (!List.of(1L).equals(MariaSql.numbers(connection, "SELECT GET_LOCK(?, ?)", lock, seconds))) {
                throw new StoreException("Another process migrates the tables for more than " + seconds + " s.", null);
            }
            try {
                createSchema(connection);
                createVersions(connection);
                new Migrations("mariadb", tables, this::run).apply(connection);
                repairSequence(connection);
            } finally {
                MariaSql.numbers(connection, "SELECT RELEASE_LOCK(?)", lock);
            }
            return true;
        });
    }

    /** Asks first: who may not create a database may still use one that exists. */
    private void createSchema(Connection connection) throws SQLException {
        String find = "SELECT 1 FROM information_schema.schemata WHERE schema_name = ?";
        if (schema == null || !MariaSql.numbers(connection, find, schema).isEmpty()) {
            return;
        }
        execute(connection, "CREATE DATABASE " + schema);
    }

    private void createVersions(Connection connection) throws SQLException {
        execute(connection, tables.sql("""
                CREATE TABLE IF NOT EXISTS {schema_version} (
                    version    int PRIMARY KEY,
                    name       varchar(200) NOT NULL,
                    applied_at timestamp NOT NULL
                ) ENGINE = InnoDB
                """));
    }

    /** One statement at a time: several in one are an option of the driver that is off by default. */
    void run(Statement statement, String script) throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (String line :
                script.replace("${collation}", product.collation()).lines().toList()) {
            int comment = line.indexOf("--");
            sql.append(comment < 0 ? line : line.substring(0, comment)).append('\n');
        }
        for (String one : sql.toString().split(";\\s*\\n", -1)) {
            if (!one.isBlank()) {
                runOne(statement, one);
            }
        }
    }

    private static void runOne(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!THERE_ALREADY.contains(e.getErrorCode())) {
                throw e;
            }
            log.info("An earlier migration was interrupted; passed over: {}", e.getMessage());
        }
    }

    /**
     * InnoDB itself keeps the counter beyond what is in the outbox, but knows nothing of what has left it: after a restore of
     * the tables, new entries could sort before dead letters of their key.
     */
    private void repairSequence(Connection connection) throws SQLException {
        if (product == MariaProduct.MYSQL) {
            // Or it answers what it knew a day ago.
            execute(connection, "SET SESSION information_schema_stats_expiry = 0");
        }
        long next = MariaSql.numbers(
                        connection,
                        "SELECT COALESCE(auto_increment, 1) FROM information_schema.tables WHERE table_name = ?"
                                + " AND table_schema = COALESCE(NULLIF(?, ''), DATABASE())",
                        tables.prefix() + "outbox",
                        schema == null ? "" : schema)
                .get(0);
        long stored = highest(connection);
        if (next > stored) {
            return;
        }
        execute(connection, tables.sql("ALTER TABLE {outbox} AUTO_INCREMENT = " + (stored + 1)));
        log.warn(
                "The sequence of {} was at {}, below the highest stored entry {}: set forward. Was the database"
                        + " restored or copied without its sequences?",
                tables.name("outbox"),
                next - 1,
                stored);
    }

    private long highest(Connection connection) throws SQLException {
        String sql = "SELECT GREATEST(COALESCE((SELECT MAX(seq) FROM {outbox}), 0),"
                + " COALESCE((SELECT MAX(seq) FROM {dead_letter}), 0), COALESCE((SELECT MAX(seq) FROM {redriven}), 0))";
        try (PreparedStatement statement = connection.prepareStatement(tables.sql(sql));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
