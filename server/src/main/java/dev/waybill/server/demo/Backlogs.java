package dev.waybill.server.demo;

import dev.waybill.server.demo.Snapshot.Backlog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Asks the database what has not arrived. Thread-safe. */
final class Backlogs {
    private final DataSource dataSource;
    private final String outbox;
    private final String deadLetters;

    Backlogs(DataSource dataSource, String tablePrefix) {
        this.dataSource = dataSource;
        outbox = tablePrefix + "outbox";
        deadLetters = tablePrefix + "dead_letter";
    }

    /** The age is by this machine's clock, which is where the events come from. */
    Backlog now() {
        return query("SELECT COUNT(*), MIN(occurred_at) FROM " + outbox, row -> {
            row.next();
            OffsetDateTime oldest = row.getObject(2, OffsetDateTime.class);
            Duration age = oldest == null ? Duration.ZERO : Duration.between(oldest.toInstant(), Instant.now());
            return new Backlog(row.getLong(1), age.isNegative() ? Duration.ZERO : age);
        });
    }

    long deadLetters() {
        return query("SELECT COUNT(*) FROM " + deadLetters, row -> {
            row.next();
            return row.getLong(1);
        });
    }

    /** The ids of all that is in the outbox or waits as a dead letter. */
    Set<UUID> ids() {
        return query("SELECT id FROM " + outbox + " UNION ALL SELECT id FROM " + deadLetters, row -> {
            Set<UUID> ids = new HashSet<>();
            while (row.next()) {
                ids.add(UUID.fromString(row.getString(1)));
            }
            return ids;
        });
    }

    private <T> T query(String sql, Reader<T> reader) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return reader.read(rows);
        } catch (SQLException e) {
            throw new IllegalStateException("The backlog could not be read: " + e.getMessage(), e);
        }
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }
}
