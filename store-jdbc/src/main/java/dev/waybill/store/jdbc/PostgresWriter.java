package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** How entries come into PostgreSQL, in the caller's transaction. Changes no setting of it. Thread-safe. */
final class PostgresWriter implements EntryWriter<Connection> {
    // One statement for each number of rows: the driver and the server keep those that an application uses.
    static final int MOST_ROWS = 64;

    /** If the statement before it fails, there is nothing to commit any more. */
    private static final String COMMIT = "; COMMIT";

    private final Sessions sessions;
    private final EntryRows entryRows;
    private final Tables tables;
    private final String lock;
    private final Inserts full;

    /** For events of which the server need not be told what they leave empty. */
    private final Inserts plain;

    /** For plain events that are alike: the server is told once what they have in common. */
    private final Inserts alike;

    private final String cancel;
    private final String countPending;

    PostgresWriter(Sessions sessions, PostgresStatements statements, EntryRows entryRows) {
        this.sessions = sessions;
        this.entryRows = entryRows;
        this.tables = statements.tables();
        // A statement of its own before the insert: within one statement the number could be drawn before the lock is
        // held.
        lock = "SELECT pg_advisory_xact_lock(id) FROM unnest(?::bigint[]) AS l (id)";
        full = Inserts.of(tables, EntryRows.INSERTED, EntryRows.PARAMETERS);
        plain = Inserts.of(tables, EntryRows.PLAIN, EntryRows.PLAIN_PARAMETERS);
        alike = Inserts.ofAlike(tables);
        cancel = tables.sql("""
                WITH unsent AS (
                    DELETE FROM {outbox}
                    WHERE id = ? AND available_at IS NOT NULL AND available_at > clock_timestamp() AND attempts = 0
                    RETURNING seq
                ), waiting AS (
                    DELETE FROM {dead_letter}
                    WHERE id = ? AND available_at IS NOT NULL AND available_at > clock_timestamp() AND attempts = 0
                        AND state = 'WAITING'
                    RETURNING seq
                )
                SELECT seq FROM unsent UNION ALL SELECT seq FROM waiting
                """);
        countPending = statements.withSettings("SELECT count(*) FROM (SELECT FROM {outbox} LIMIT ?) o");
    }

    /**
     * Statements by their number of rows, from 1.
     *
     * @param last the same, each with a commit behind it
     */
    private record Inserts(List<String> all, List<String> last) {

        static Inserts of(Tables tables, String columns, String parameters) {
            String one = tables.sql("INSERT INTO {outbox} (" + columns + ") VALUES (" + parameters + ")");
            return of(more -> one + (", (" + parameters + ")").repeat(more));
        }

        /** The plan is a scan of the values, in their order: what is shared becomes constants of it. */
        static Inserts ofAlike(Tables tables) {
            String one =
                    tables.sql("""
                    INSERT INTO {outbox} (%s, %s) SELECT shared.*, own.*
                    FROM (SELECT ?::text, ?::text, ?::int, ?::text) shared,
                        (VALUES (?::smallint, ?::uuid, ?::text, ?::bytea, ?::timestamptz)
                    """.formatted(EntryRows.SHARED, EntryRows.OWN).stripTrailing());
            return of(more -> one + ", (?, ?, ?, ?, ?)".repeat(more) + ") own");
        }

        private static Inserts of(IntFunction<String> withMore) {
            List<String> all = IntStream.range(0, MOST_ROWS).mapToObj(withMore).toList();
            return new Inserts(all, all.stream().map(sql -> sql + COMMIT).toList());
        }

        PreparedStatement prepare(Connection transaction, int rows, boolean commit) throws SQLException {
            return transaction.prepareStatement((commit ? last : all).get(rows - 1));
        }
    }

    @Override
    public void append(Connection transaction, List<Event> events, Set<OrderKey> strictKeys) {
        try {
            Transactions.require(transaction);
            if (strictKeys.isEmpty()
                    && transaction instanceof WatchedConnection.Patient patient
                    && patient.postpone(this, events)) {
                return;
            }
            lock(transaction, strictKeys);
            insert(transaction, events);
        } catch (SQLException e) {
            throw SqlErrors.translate("append " + events.size() + " event(s) to the outbox", e);
        }
    }

    /** Sorted by what is locked, so that two transactions cannot wait for each other. */
    private void lock(Connection transaction, Set<OrderKey> keys) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        Object[] ids = keys.stream()
                .map(key -> tables.lockId(key.destination() + "\n" + key.key()))
                .distinct()
                .sorted()
                .toArray();
        try (PreparedStatement statement = transaction.prepareStatement(lock)) {
            SqlArrays.bind(statement, 1, "bigint", ids);
            statement.execute();
        }
    }

    /** The database draws the numbers in the order of the rows. */
    void insert(Connection transaction, List<Event> events) throws SQLException {
        for (int from = 0; from < events.size(); from += MOST_ROWS) {
            insert(transaction, events.subList(from, Math.min(events.size(), from + MOST_ROWS)), false);
        }
    }

    /** Inserts up to {@link #MOST_ROWS} events and commits, in one round trip. What is refused is not committed. */
    void insertAndCommit(Connection transaction, List<Event> events) throws SQLException {
        insert(transaction, events, true);
    }

    private void insert(Connection transaction, List<Event> some, boolean commit) throws SQLException {
        if (areAlike(some)) {
            insertAlike(transaction, some, commit);
            return;
        }
        boolean allPlain = some.stream().allMatch(entryRows::isPlain);
        try (PreparedStatement statement = (allPlain ? plain : full).prepare(transaction, some.size(), commit)) {
            int parameter = 1;
            for (Event event : some) {
                if (allPlain) {
                    entryRows.bindPlain(statement, parameter, event);
                } else {
                    entryRows.bind(statement, parameter, event);
                }
                parameter += allPlain ? EntryRows.PLAIN_COUNT : EntryRows.INSERTED_COUNT;
            }
            statement.executeUpdate();
        }
    }

    private boolean areAlike(List<Event> events) {
        Event first = events.get(0);
        return events.size() > 1
                && events.stream().allMatch(event -> entryRows.isPlain(event) && EntryRows.isAlike(first, event));
    }

    private void insertAlike(Connection transaction, List<Event> events, boolean commit) throws SQLException {
        try (PreparedStatement statement = alike.prepare(transaction, events.size(), commit)) {
            EntryRows.bindShared(statement, 1, events.get(0));
            int parameter = 1 + EntryRows.SHARED_COUNT;
            for (Event event : events) {
                entryRows.bindOwn(statement, parameter, event);
                parameter += EntryRows.OWN_COUNT;
            }
            statement.executeUpdate();
        }
    }

    @Override
    public boolean cancel(Connection transaction, UUID id) {
        try {
            Transactions.require(transaction);
            if (tryCancel(transaction, id)) {
                return true;
            }
            // Again: a relay may have moved the entry behind a dead letter, or back, while the first statement waited
            // for its row.
            return tryCancel(transaction, id);
        } catch (SQLException e) {
            throw SqlErrors.translate("cancel event " + id, e);
        }
    }

    private boolean tryCancel(Connection transaction, UUID id) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(cancel)) {
            statement.setObject(1, id);
            statement.setObject(2, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    @Override
    public long countPending(long atMost) {
        return sessions.autocommit("count what is pending", connection -> {
            try (PreparedStatement statement = PostgresStatements.prepare(connection, countPending)) {
                statement.setLong(1, atMost);
                ResultSet rows = PostgresStatements.query(statement);
                rows.next();
                return rows.getLong(1);
            }
        });
    }
}
