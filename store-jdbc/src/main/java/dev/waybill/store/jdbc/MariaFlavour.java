package dev.waybill.store.jdbc;

import dev.waybill.event.InvalidEventException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB: UUIDs are text, and instants are local times that are UTC by agreement. The driver would move anything with an
 * offset to the zone of this machine.
 */
final class MariaFlavour implements SqlFlavour {
    // After a settle took its time come the rest of that statement, another one, and a break after each; the server
    // ends
    // whatever takes longer than the limit.
    private static final int STEPS_OF_A_SETTLE = 4;

    private final Tables tables;
    private final MariaWriters writers;

    MariaFlavour(Tables tables, MariaWriters writers) {
        this.tables = tables;
        this.writers = writers;
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String microsUntil(String time) {
        return "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), " + time + ")";
    }

    @Override
    public String later() {
        return "UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND";
    }

    @Override
    public String unlessThere() {
        return " ON DUPLICATE KEY UPDATE repeats = repeats + 1";
    }

    @Override
    public String aside() {
        return " FORCE INDEX (" + tables.prefix() + "outbox_sought) WHERE sought = CONCAT(?, ' ', ?) AND seq > ?"
                + " ORDER BY sought, seq";
    }

    @Override
    public String deleteSome(String table, String condition) {
        return "DELETE FROM " + table + " WHERE " + condition + " LIMIT ?";
    }

    @Override
    public String isOneOf(String column, int count) {
        return column + " IN (" + "?, ".repeat(count - 1) + "?)";
    }

    @Override
    public int bindIds(PreparedStatement statement, int first, List<UUID> ids) throws SQLException {
        int parameter = first;
        for (UUID id : ids) {
            bind(statement, parameter++, id);
        }
        return parameter;
    }

    @Override
    public void bind(PreparedStatement statement, int parameter, @Nullable UUID id) throws SQLException {
        statement.setString(parameter, id == null ? null : id.toString());
    }

    @Override
    public void bind(PreparedStatement statement, int parameter, @Nullable Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(parameter, Types.TIMESTAMP);
        } else {
            statement.setObject(parameter, LocalDateTime.ofInstant(time, ZoneOffset.UTC));
        }
    }

    /** Reads an id; the column takes any text, so that a row which Waybill did not write may hold something else. */
    @Override
    public @Nullable UUID uuid(ResultSet rows, int column) throws SQLException {
        String text = rows.getString(column);
        if (text == null) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidEventException("id \"" + text + "\" is not a UUID.");
        }
    }

    @Override
    public @Nullable Instant time(ResultSet rows, int column) throws SQLException {
        LocalDateTime time = rows.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }

    @Override
    public void announceAppend(Connection transaction) throws SQLException {
        writers.announce(transaction);
    }

    @Override
    public Instant historyCompleteUntil(Connection transaction, Duration settleLimit) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement("SELECT " + now());
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return EntryRows.required(time(rows, 1)).minus(settleLimit.multipliedBy(STEPS_OF_A_SETTLE));
        }
    }

    @Override
    public void preferIndexes(Connection transaction) {}
}
