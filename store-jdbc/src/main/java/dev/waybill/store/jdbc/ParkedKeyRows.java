package dev.waybill.store.jdbc;

import dev.waybill.deadletter.Parked;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.OptionalLong;

/** How parked keys are read from rows, the same for every database. */
final class ParkedKeyRows {
    private ParkedKeyRows() {}

    /** Reads destination, key, shard, state, the dead letter's sequence, since when, and how many wait. */
    static Parked parked(ResultSet rows, Instant since) throws SQLException {
        long head = rows.getLong(5);
        OptionalLong dead = rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(head);
        return new Parked(parkedKey(rows), dead, since, rows.getLong(7));
    }

    /** Reads destination, key, shard and state from the first four columns. */
    static ParkedKey parkedKey(ResultSet rows) throws SQLException {
        return new ParkedKey(
                new OrderKey(rows.getString(1), rows.getString(2)),
                rows.getInt(3),
                ParkedKey.State.valueOf(rows.getString(4)));
    }
}
