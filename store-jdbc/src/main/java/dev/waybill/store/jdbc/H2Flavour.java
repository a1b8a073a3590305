package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** H2, whose clock stands still within a transaction. */
final class H2Flavour extends StandardFlavour {
    private final String announce;

    H2Flavour(Tables tables) {
        announce = tables.sql("DELETE FROM {outbox} WHERE shard = -1 AND seq = -1");
    }

    @Override
    public String now() {
        return "CURRENT_TIMESTAMP";
    }

    @Override
    public String microsUntil(String time) {
        return "DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP, " + time + ")";
    }

    @Override
    public String later() {
        return "DATEADD(MICROSECOND, CAST(? AS bigint), CURRENT_TIMESTAMP)";
    }

    @Override
    public String aside() {
        return " WHERE sought = CAST(? AS varchar) || ' ' || CAST(? AS varchar) AND seq > ? ORDER BY sought, seq";
    }

    /** A duplicate is an error that takes nothing back but its statement. */
    @Override
    public String unlessThere() {
        return "";
    }

    @Override
    public String deleteSome(String table, String condition) {
        return "DELETE FROM " + table + " WHERE " + condition + " FETCH FIRST ? ROWS ONLY";
    }

    /** How long a statement may wait is H2's own LOCK_TIMEOUT. */
    @Override
    void begin(Connection transaction, Duration limit) {}

    @Override
    <R> R snapshot(Connection transaction, Duration limit, Sessions.Work<R> reading) throws SQLException {
        return H2Sql.snapshot(transaction, reading);
    }

    @Override
    public void preferIndexes(Connection transaction) {}

    /**
     * H2 draws the number of a transaction's first row before it lists the transaction as a writer of the table. A relay
     * that looks in between would take the number for one that was rolled back; so the transaction is listed first.
     */
    @Override
    public void announceAppend(Connection transaction) throws SQLException {
        H2Sql.update(transaction, announce);
    }

    @Override
    public Instant historyCompleteUntil(Connection transaction, Duration settleLimit) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement("SELECT CURRENT_TIMESTAMP");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return Objects.requireNonNull(time(rows, 1)).minus(settleLimit);
        }
    }
}
