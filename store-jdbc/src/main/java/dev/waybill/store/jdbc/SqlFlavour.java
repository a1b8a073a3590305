package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What databases say in different words, for the statements that are the same everywhere: those of people, replays and
 * housekeeping. Thread-safe.
 */
interface SqlFlavour {

    /** The time by the database's clock, as an expression that stays the same within a statement. */
    String now();

    /** The microseconds from now until a time, as an expression; negative if it has passed. */
    String microsUntil(String time);

    /** The time that is so many microseconds from now, as an expression with one parameter; null for null. */
    String later();

    /**
     * What an INSERT into {@code processed} ends with, so that it answers 1 if it inserted the row. If there is one with its
     * key, which another open transaction may have to decide first, it answers something else, or fails as a duplicate
     * without harm to the transaction.
     */
    String unlessThere();

    /**
     * What follows the name of the outbox in a query for entries that a consumer put aside: of a destination and a key, with
     * higher sequences than one, which are its three parameters. In the order of the index that is for it: statistics that
     * are old may promise a planner that any row will do, and it would read them all.
     */
    String aside();

    /** Deletes some of the rows that fit a condition; the last parameter is how many. */
    String deleteSome(String table, String condition);

    /** A condition that an id is one of many, for {@link #bindIds}. */
    String isOneOf(String column, int count);

    /** Binds the parameters of {@link #isOneOf}; returns the parameter after them. */
    int bindIds(PreparedStatement statement, int first, List<UUID> ids) throws SQLException;

    void bind(PreparedStatement statement, int parameter, @Nullable UUID id) throws SQLException;

    void bind(PreparedStatement statement, int parameter, @Nullable Instant time) throws SQLException;

    @Nullable
    UUID uuid(ResultSet rows, int column) throws SQLException;

    @Nullable
    Instant time(ResultSet rows, int column) throws SQLException;

    /**
     * Makes the statements after this one go through indexes, until the transaction ends: they have one, and what the
     * database knows of the sizes of these tables is often old.
     */
    void preferIndexes(Connection transaction) throws SQLException;

    /** To be called before rows are put into the outbox: makes the transaction visible to scans as one that writes. */
    void announceAppend(Connection transaction) throws SQLException;

    /**
     * A time such that the statements after this one see every delivery before it that there will ever be. A settle
     * takes its time at its beginning, and is seen when it has committed.
     *
     * @param settleLimit the longest time from that beginning to the commit
     */
    Instant historyCompleteUntil(Connection transaction, Duration settleLimit) throws SQLException;
}
