package dev.waybill.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the versioned scripts of one database. The caller holds the lock that keeps others from doing the same. */
final class Migrations {
    private static final Logger log = LoggerFactory.getLogger(Migrations.class);
    private static final List<String> SCRIPTS = List.of("V001__outbox.sql", "V002__operations.sql", "V003__inbox.sql");

    /** How a database takes a script. */
    @FunctionalInterface
    interface Runner {
        void run(Statement statement, String script) throws SQLException;
    }

    private final String folder;
    private final Tables tables;
    private final Runner runner;

    Migrations(String folder, Tables tables) {
        this(folder, tables, Statement::execute);
    }

    Migrations(String folder, Tables tables, Runner runner) {
        this.folder = folder;
        this.tables = tables;
        this.runner = runner;
    }

    /** Applies what is missing. Needs the table {@code schema_version (version, name, applied_at)}. */
    void apply(Connection connection) throws SQLException {
        int found = version(connection);
        if (found > SCRIPTS.size()) {
            throw new SchemaVersionException(tables.name("schema_version"), found, SCRIPTS.size());
        }
        for (int version = found + 1; version <= SCRIPTS.size(); version++) {
            String name = SCRIPTS.get(version - 1);
            try (Statement statement = connection.createStatement()) {
                runner.run(statement, tables.script(read(name)));
            }
            record(connection, version, name);
            log.info("Applied {} to the tables {}*", name, tables.name(""));
        }
    }

    private int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(tables.sql("SELECT max(version) FROM {schema_version}"))) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void record(Connection connection, int version, String name) throws SQLException {
        String sql =
                tables.sql("INSERT INTO {schema_version} (version, name, applied_at) VALUES (?, ?, CURRENT_TIMESTAMP)");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, version);
            statement.setString(2, name);
            statement.executeUpdate();
        }
    }

    private String read(String script) {
        String path = "/dev/waybill/schema/" + folder + "/" + script;
        try (InputStream in = Migrations.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("Waybill's jar is incomplete: " + path + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
