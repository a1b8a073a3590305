package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.Parked;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How dead letters and parked keys are read from rows, the same for every database. */
final class DeadLetterRows {
    private DeadLetterRows() {}

    /** Reads rows of an entry's columns, state and time of death. */
    static List<DeadLetter> letters(ResultSet rows) throws SQLException {
        List<DeadLetter> letters = new ArrayList<>();
        while (rows.next()) {
            Instant diedAt = EntryRows.instant(rows, EntryRows.COLUMN_COUNT + 2);
            letters.add(new DeadLetter(
                    EntryRows.read(rows, 1),
                    DeadLetter.State.valueOf(rows.getString(EntryRows.COLUMN_COUNT + 1)),
                    diedAt == null ? Instant.EPOCH : diedAt));
        }
        return letters;
    }

    /** Reads destination, key, shard, state, the dead letter's sequence and the number of those that wait. */
    static Parked parked(ResultSet rows) throws SQLException {
        return new Parked(parkedKey(rows), rows.getLong(5), rows.getLong(6));
    }

    /** Reads destination, key, shard and state from the first four columns. */
    static ParkedKey parkedKey(ResultSet rows) throws SQLException {
        return new ParkedKey(
                new OrderKey(rows.getString(1), rows.getString(2)),
                rows.getInt(3),
                ParkedKey.State.valueOf(rows.getString(4)));
    }
}
