package dev.waybill.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is writing to the outbox, known by locks. Thread-safe.
 *
 * <p>A writer shares the row of some slot before it draws its first sequence, and until its transaction ends. A relay
 * lists the slots that it cannot lock. The list of transactions that InnoDB offers is of no use for this: it is a copy
 * that is renewed only when nobody has read it for a tenth of a second, and a transaction is not on it before its first
 * row is written, when the number is drawn already.
 */
final class MariaWriters {
    /** As many rows as the table has. */
    static final int SLOTS = 256;

    private static final Logger log = LoggerFactory.getLogger(MariaWriters.class);

    private final String findFree;
    private final String lockSlot;
    private final String share;
    private final AtomicBoolean cannotSeePrepared = new AtomicBoolean();
    private final AtomicInteger nextSlot =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(SLOTS));

    MariaWriters(Tables tables) {
        findFree = tables.sql("SELECT slot FROM {writer_slot} FOR UPDATE SKIP LOCKED");
        lockSlot = tables.sql("SELECT slot FROM {writer_slot} WHERE slot = ? LOCK IN SHARE MODE");
        share = tables.sql("(SELECT 0 FROM {writer_slot} WHERE slot = ? LOCK IN SHARE MODE)");
    }

    /** An expression that is 0 and locks a slot, its only parameter. */
    String sharedSlot() {
        return share;
    }

    /** Shares a slot until the transaction ends, for what draws its numbers in a statement of its own. */
    void announce(Connection transaction) throws SQLException {
        MariaSql.numbers(transaction, lockSlot, nextSlot());
    }

    /** Slots in turn: one that comes back soon would seem to be the same writer. */
    int nextSlot() {
        return Math.floorMod(nextSlot.getAndIncrement(), SLOTS);
    }

    /**
     * Lists the slots of those who write now. Each statement commits by itself, so that a writer who comes at this moment
     * waits for the statement and never for its caller.
     */
    Set<String> list(Connection connection) throws SQLException {
        Set<String> writers = all();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(findFree)) {
            while (rows.next()) {
                writers.remove(name(rows.getInt(1)));
            }
        }
        // After the slots, because XA PREPARE gives the slot up: who was passed over above is found here, or has ended.
        // Nobody knows which slot it had.
        return hasPrepared(connection) ? all() : writers;
    }

    private boolean hasPrepared(Connection connection) throws SQLException {
        if (cannotSeePrepared.get()) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("XA RECOVER")) {
            return rows.next();
        } catch (SQLException e) {
            if (SqlErrors.state(e).startsWith("08")) {
                throw e;
            }
            if (!cannotSeePrepared.getAndSet(true)) {
                log.info(
                        "This user may not execute XA RECOVER ({}). Events of XA transactions that are prepared for long"
                                + " may be found late, by the relay's regular re-scan",
                        e.getMessage());
            }
            return false;
        }
    }

    private static Set<String> all() {
        Set<String> names = new HashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            names.add(name(slot));
        }
        return names;
    }

    private static String name(int slot) {
        return "slot " + slot;
    }
}
