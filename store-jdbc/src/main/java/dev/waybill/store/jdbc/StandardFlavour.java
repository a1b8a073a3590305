package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** For databases that know UUIDs and timestamps with a time zone, and settings that end with a transaction. */
abstract class StandardFlavour implements SqlFlavour {

    @Override
    public void bind(PreparedStatement statement, int parameter, @Nullable UUID id) throws SQLException {
        if (id == null) {
            statement.setNull(parameter, Types.OTHER);
        } else {
            statement.setObject(parameter, id);
        }
    }

    @Override
    public void bind(PreparedStatement statement, int parameter, @Nullable Instant time) throws SQLException {
        if (time == null) {
            statement.setNull(parameter, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(parameter, EntryRows.atUtc(time));
        }
    }

    @Override
    public @Nullable UUID uuid(ResultSet rows, int column) throws SQLException {
        return rows.getObject(column, UUID.class);
    }

    @Override
    public @Nullable Instant time(ResultSet rows, int column) throws SQLException {
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    @Override
    public String isOneOf(String column, int count) {
        return column + " = ANY (?)";
    }

    @Override
    public int bindIds(PreparedStatement statement, int first, List<UUID> ids) throws SQLException {
        SqlArrays.bind(statement, first, "uuid", ids.toArray());
        return first + 1;
    }

    /**
     * Prepares a transaction that changes something, before its first statement: none of its statements takes longer,
     * and a process that stops in the middle does not hold its locks for ever.
     */
    abstract void begin(Connection transaction, Duration limit) throws SQLException;

    /** Prepares a transaction like {@link #begin} and reads in it as of one moment, as much as it takes. */
    abstract <R> R snapshot(Connection transaction, Duration limit, Sessions.Work<R> reading) throws SQLException;
}
