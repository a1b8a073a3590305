package dev.waybill.store.jdbc;

import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.Origin;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What consumers have to do with events, on every database. Thread-safe.
 *
 * <p>The primary key decides who has an event: an INSERT waits for the open transaction that inserted the same key, and
 * then finds its row or not. A row that is there is locked, and stays as it was read until the transaction ends.
 */
final class ClaimTable {
    private static final String KEY = " WHERE consumer = ? AND event_id = ? AND generation = ?";
    private static final String LEASED_KEY = KEY + " AND state IN ('IN_PROGRESS', 'RETRYING') AND epoch = ?";
    // A row that is there for the INSERT and not for the SELECT was removed in between.
    private static final int TRIES = 3;

    /** What is known of an event. */
    enum State {
        IN_PROGRESS,
        /** In progress, from the siding: for the source it is put aside, however its lease ends. */
        RETRYING,
        ASIDE,
        DONE;

        boolean isLeased() {
            return this == IN_PROGRESS || this == RETRYING;
        }
    }

    /** A locked row; busyFor is how long its lease lasts. */
    private record Mark(State state, long epoch, Duration busyFor) {}

    private final SqlSteps steps;
    private final String insert;
    private final String lock;
    private final String take;
    private final String isDone;
    private final String complete;
    private final String release;
    private final String seen;
    private final String clean;

    ClaimTable(Tables tables, SqlSteps steps) {
        this.steps = steps;
        SqlFlavour flavour = steps.flavour();
        insert = tables.sql("""
                INSERT INTO {processed} (consumer, event_id, generation, state, epoch, lease_until, recorded_at)
                VALUES (?, ?, ?, ?, ?, %s, %s)""".formatted(flavour.later(), flavour.now()) + flavour.unlessThere());
        lock = tables.sql("SELECT state, epoch, %s FROM {processed}".formatted(flavour.microsUntil("lease_until")) + KEY
                + " FOR UPDATE");
        take = tables.sql("UPDATE {processed} SET state = ?, epoch = ?, lease_until = %s, recorded_at = %s"
                        .formatted(flavour.later(), flavour.now())
                + KEY);
        isDone = tables.sql("SELECT state FROM {processed}" + KEY + " AND state = 'DONE'");
        complete = tables.sql(
                "UPDATE {processed} SET state = 'DONE', lease_until = NULL, recorded_at = %s".formatted(flavour.now())
                        + LEASED_KEY);
        release = tables.sql(
                "UPDATE {processed} SET state = ?, lease_until = %1$s, recorded_at = %1$s".formatted(flavour.now())
                        + LEASED_KEY);
        seen = tables.sql("SELECT consumer, event_id, generation FROM {processed} WHERE state <> 'IN_PROGRESS' AND (");
        clean = flavour.deleteSome(
                tables.name("processed"), "recorded_at < ? AND (state IN ('ASIDE', 'DONE') OR lease_until < ?)");
    }

    /**
     * Makes an event the caller's.
     *
     * @param state what it becomes
     * @param lease how long, if it is leased then
     */
    Claim claim(Connection connection, InboxKey key, Origin origin, State state, @Nullable Duration lease)
            throws SQLException {
        Long micros = lease == null ? null : EntryRows.toMicros(lease);
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            // What was put aside has a row: it is looked for first.
            boolean insertFirst = origin == Origin.SOURCE || attempt > 1;
            if (insertFirst && insert(connection, key, state, micros)) {
                return taken(state, 1);
            }
            Optional<Mark> mark = lock(connection, key);
            if (mark.isPresent()) {
                return decide(connection, key, origin, mark.get(), state, micros);
            }
        }
        throw new SQLException(
                "The row of " + key
                        + " is there and cannot be read; its transaction sees an older state of the database."
                        + " Use READ COMMITTED",
                "40001");
    }

    private static Claim taken(State state, long epoch) {
        return state.isLeased() ? Claim.leased(epoch) : Claim.taken();
    }

    private boolean insert(Connection connection, InboxKey key, State state, @Nullable Long micros)
            throws SQLException {
        int epoch = state.isLeased() ? 1 : 0;
        try {
            return steps.update(
                            connection, insert, key.consumer(), key.eventId(), key.generation(), state, epoch, micros)
                    == 1;
        } catch (SQLException e) {
            if (SqlErrors.isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    private Optional<Mark> lock(Connection connection, InboxKey key) throws SQLException {
        return steps.first(
                connection,
                lock,
                rows -> new Mark(State.valueOf(rows.getString(1)), rows.getLong(2), EntryRows.micros(rows.getLong(3))),
                key.consumer(),
                key.eventId(),
                key.generation());
    }

    private Claim decide(
            Connection connection, InboxKey key, Origin origin, Mark mark, State state, @Nullable Long micros)
            throws SQLException {
        if (mark.state == State.DONE) {
            return Claim.done();
        }
        if (origin == Origin.SOURCE && (mark.state == State.ASIDE || mark.state == State.RETRYING)) {
            return Claim.aside();
        }
        if (mark.state.isLeased() && !mark.busyFor.isZero()) {
            return Claim.busy(mark.busyFor);
        }
        long epoch = state.isLeased() ? mark.epoch + 1 : mark.epoch;
        steps.update(connection, take, state, epoch, micros, key.consumer(), key.eventId(), key.generation());
        return taken(state, epoch);
    }

    boolean isDone(Connection connection, InboxKey key) throws SQLException {
        return steps.first(connection, isDone, rows -> true, key.consumer(), key.eventId(), key.generation())
                .isPresent();
    }

    boolean complete(Connection connection, InboxKey key, long epoch) throws SQLException {
        return steps.update(connection, complete, key.consumer(), key.eventId(), key.generation(), epoch) > 0;
    }

    /** Not forgotten, even if it was unknown: the next lease needs a higher epoch. */
    boolean release(Connection connection, InboxKey key, long epoch, Origin origin) throws SQLException {
        State state = origin == Origin.SIDING ? State.ASIDE : State.IN_PROGRESS;
        return steps.update(connection, release, state, key.consumer(), key.eventId(), key.generation(), epoch) > 0;
    }

    /** One of the consumers and generations that are asked for. */
    private record Group(String consumer, int generation) {}

    /** One statement, whatever their number: most often all of them are of one group. */
    Set<InboxKey> seen(Connection connection, Collection<InboxKey> keys) throws SQLException {
        Map<Group, List<UUID>> groups = new LinkedHashMap<>();
        for (InboxKey key : keys) {
            groups.computeIfAbsent(new Group(key.consumer(), key.generation()), group -> new ArrayList<>())
                    .add(key.eventId());
        }
        StringBuilder sql = new StringBuilder(seen);
        groups.values()
                .forEach(ids -> sql.append(sql.length() == seen.length() ? "" : " OR ")
                        .append("(consumer = ? AND generation = ? AND ")
                        .append(steps.flavour().isOneOf("event_id", ids.size()))
                        .append(')'));
        try (PreparedStatement statement =
                connection.prepareStatement(sql.append(')').toString())) {
            int parameter = 1;
            for (Map.Entry<Group, List<UUID>> group : groups.entrySet()) {
                statement.setString(parameter++, group.getKey().consumer);
                statement.setInt(parameter++, group.getKey().generation);
                parameter = steps.flavour().bindIds(statement, parameter, group.getValue());
            }
            Set<InboxKey> found = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new InboxKey(
                            rows.getString(1),
                            EntryRows.required(steps.flavour().uuid(rows, 2)),
                            rows.getInt(3)));
                }
            }
            return found;
        }
    }

    /** Removes what was recorded, and whose lease ended, before a time; answers how many. */
    int removeBefore(Connection connection, Instant time, int limit) throws SQLException {
        return steps.update(connection, clean, time, time, limit);
    }
}
