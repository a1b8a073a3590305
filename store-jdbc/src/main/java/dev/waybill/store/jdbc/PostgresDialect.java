package dev.waybill.store.jdbc;

import dev.waybill.store.EntryReader;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL. Each topic is a class of its own; here they come together, with the schema's upkeep. */
final class PostgresDialect implements Dialect {
    private static final Logger log = LoggerFactory.getLogger(PostgresDialect.class);

    private final Tables tables;
    private final @Nullable String schema;
    private final Sessions migrating;
    private final PostgresLeases leases;
    private final PostgresReader reader;
    private final PostgresSettler settler;
    private final PostgresWriter writer;
    private final PostgresPartitions partitions;
    private final PostgresFlavour flavour;
    private final Transactor transactor;

    PostgresDialect(JdbcStoreConfig config, Sessions sessions, Sessions reading, Sessions migrating) {
        tables = Tables.of(config);
        flavour = new PostgresFlavour(tables);
        transactor = new StandardTransactor(sessions, reading, flavour, config.statementTimeout());
        partitions = new PostgresPartitions(tables, sessions, transactor, new SqlSteps(flavour), config);
        // Names are used without quotes, and PostgreSQL folds those to lower case.
        schema = config.schema() == null ? null : config.schema().toLowerCase(Locale.ROOT);
        this.migrating = migrating;
        PostgresStatements statements = new PostgresStatements(tables, config.statementTimeout());
        leases = new PostgresLeases(sessions, statements);
        EntryRows entryRows = new EntryRows(flavour, config);
        reader = new PostgresReader(sessions, statements, entryRows);
        settler = new PostgresSettler(sessions, statements, partitions, config.retention());
        writer = new PostgresWriter(sessions, statements, entryRows);
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
        return partitions;
    }

    @Override
    public SqlFlavour flavour() {
        return flavour;
    }

    @Override
    public Transactor transactor() {
        return transactor;
    }

    /** One transaction: DDL is transactional here, so a migration is whole or not there. */
    @Override
    public void migrate() {
        migrating.transaction("migrate its tables", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_advisory_xact_lock(" + tables.lockId("migrate") + ")");
                createSchema(connection, statement);
                if (!exists(connection, tables.name("schema_version"))) {
                    statement.execute(tables.sql("""
                                    CREATE TABLE {schema_version} (
                                        version    int PRIMARY KEY,
                                        name       varchar(200) NOT NULL,
                                        applied_at timestamptz NOT NULL
                                    )
                                    """));
                }
            }
            new Migrations("postgresql", tables).apply(connection);
            repairSequence(connection);
            return true;
        });
        partitions.createAhead();
    }

    /** Asks first: CREATE SCHEMA IF NOT EXISTS needs the right to create one even if it exists. */
    private void createSchema(Connection connection, Statement statement) throws SQLException {
        if (schema == null) {
            return;
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM pg_namespace WHERE nspname = ?")) {
            query.setString(1, schema);
            try (ResultSet rows = query.executeQuery()) {
                if (rows.next()) {
                    return;
                }
            }
        }
        statement.execute("CREATE SCHEMA " + schema);
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            query.setString(1, table);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        }
    }

    /**
     * A restore or a logical migration may have brought the rows and not the sequence. New entries would then sort
     * before older ones of their key, or collide with them. The history may hold higher ones: nothing is ordered by them
     * there, and the time of the delivery keeps them apart.
     */
    private void repairSequence(Connection connection) throws SQLException {
        String highest = """
                SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence('{outbox}', 'seq')::regclass), 0),
                    GREATEST(
                        (SELECT max(s.seq) FROM generate_series(0, 63) AS g (shard) CROSS JOIN LATERAL (
                            SELECT o.seq FROM {outbox} o WHERE o.shard = g.shard ORDER BY o.seq DESC LIMIT 1
                        ) s),
                        (SELECT max(seq) FROM {dead_letter}),
                        (SELECT max(seq) FROM {redriven}),
                        0)
                """;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(tables.sql(highest))) {
            rows.next();
            long last = rows.getLong(1);
            long stored = rows.getLong(2);
            if (last >= stored) {
                return;
            }
            String repair = "SELECT setval(pg_get_serial_sequence('{outbox}', 'seq')::regclass, " + stored + ")";
            try (Statement setval = connection.createStatement()) {
                setval.execute(tables.sql(repair));
            }
            log.warn(
                    "The sequence of {} was at {}, below the highest stored entry {}: set forward. Was the database"
                            + " restored or copied without its sequences?",
                    tables.name("outbox"),
                    last,
                    stored);
        }
    }
}
