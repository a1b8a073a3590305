package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upkeep of the schema on H2.
 *
 * <p>H2 commits with every DDL statement, and with it drops every lock. So who migrates writes its name into a row, for
 * a minute at a time, and the others look again until the row is free; a process that died is passed over after that
 * minute. Each statement of a script is safe to repeat.
 */
final class H2Schema {
    private static final Logger log = LoggerFactory.getLogger(H2Schema.class);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int CREATE_TRIES = 50;

    private final @Nullable String schema;
    private final Tables tables;
    private final Sessions sessions;

    H2Schema(JdbcStoreConfig config, Tables tables, Sessions sessions) {
        this.schema = config.schema();
        this.tables = tables;
        this.sessions = sessions;
    }

    void migrate() {
        sessions.autocommit("migrate its tables", connection -> {
            createLock(connection);
            UUID me = UUID.randomUUID();
            lock(connection, me);
            try {
                new Migrations("h2", tables).apply(connection);
                repairSequence(connection);
                writeThrough(connection);
            } finally {
                H2Sql.update(connection, tables.sql("UPDATE {schema_lock} SET owner = NULL WHERE owner = ?"), me);
            }
            return true;
        });
    }

    /** IF NOT EXISTS is no lock: two that create the same table at once may still collide, and then try again. */
    private void createLock(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                if (schema != null) {
                    statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
                }
                statement.execute(tables.sql("""
                        CREATE TABLE IF NOT EXISTS {schema_version} (
                            version    int PRIMARY KEY,
                            name       varchar(200) NOT NULL,
                            applied_at timestamp with time zone NOT NULL
                        );
                        CREATE TABLE IF NOT EXISTS {schema_lock} (
                            id    int PRIMARY KEY,
                            owner uuid,
                            until timestamp with time zone
                        );
                        MERGE INTO {schema_lock} USING (VALUES (1)) AS v (id) ON {schema_lock}.id = v.id
                            WHEN NOT MATCHED THEN INSERT (id) VALUES (1);
                        """));
                return;
            } catch (SQLException e) {
                if (attempt == CREATE_TRIES) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    private void lock(Connection connection, UUID me) throws SQLException {
        String lock = tables.sql("""
                UPDATE {schema_lock} SET owner = ?, until = DATEADD(MINUTE, 1, CURRENT_TIMESTAMP)
                WHERE id = 1 AND (owner IS NULL OR until < CURRENT_TIMESTAMP)
                """);
        while (H2Sql.update(connection, lock, me) == 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    /** See {@link PostgresDialect}: a restore may have brought the rows and not the sequence. */
    private void repairSequence(Connection connection) throws SQLException {
        long next = H2Sql.number(connection, """
                SELECT identity_base FROM INFORMATION_SCHEMA.COLUMNS
                WHERE UPPER(column_name) = 'SEQ' AND UPPER(table_name) = UPPER(?)
                    AND UPPER(table_schema) = UPPER(COALESCE(NULLIF(?, ''), SCHEMA()))
                """, tables.prefix() + "outbox", schema == null ? "" : schema);
        long stored = H2Sql.number(connection, tables.sql("""
                        SELECT GREATEST(COALESCE((SELECT max(seq) FROM {outbox}), 0),
                            COALESCE((SELECT max(seq) FROM {dead_letter}), 0),
                            COALESCE((SELECT max(seq) FROM {redriven}), 0))
                        """));
        if (next > stored) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(tables.sql("ALTER TABLE {outbox} ALTER COLUMN seq RESTART WITH " + (stored + 1)));
        }
        log.warn(
                "The sequence of {} was at {}, below the highest stored entry {}: set forward. Was the database"
                        + " restored or copied without its sequences?",
                tables.name("outbox"),
                next - 1,
                stored);
    }

    /** By default H2 writes commits to the disk half a second later: a killed process would lose committed events. */
    private void writeThrough(Connection connection) throws SQLException {
        List<Long> delay = H2Sql.numbers(
                connection,
                "SELECT CAST(setting_value AS int) FROM INFORMATION_SCHEMA.SETTINGS"
                        + " WHERE setting_name = 'WRITE_DELAY'");
        if (delay.equals(List.of(0L))) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET WRITE_DELAY 0");
            log.info("Set WRITE_DELAY 0 in this database, so that a commit is on the disk when it returns");
        } catch (SQLException e) {
            log.warn(
                    "H2 writes commits to the disk with a delay, and this user may not change that ({}): committed"
                            + " events can be lost when the process is killed. Let an administrator execute"
                            + " SET WRITE_DELAY 0.",
                    e.getMessage());
        }
    }
}
