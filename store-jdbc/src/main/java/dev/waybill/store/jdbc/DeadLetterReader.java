package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.Entry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead letters, each kind in one statement: those that are dead from their table, those that were tried again from the
 * table of redriven ones. Thread-safe.
 */
final class DeadLetterReader {
    private static final String COLUMNS = EntryRows.COLUMNS.replaceAll("(\\w+)", "d.$1");

    private final Tables tables;
    private final Transactor transactor;
    private final SqlSteps steps;
    private final EntryRows entryRows;
    private final String find;

    DeadLetterReader(Tables tables, Transactor transactor, SqlSteps steps, EntryRows entryRows) {
        this.tables = tables;
        this.transactor = transactor;
        this.steps = steps;
        this.entryRows = entryRows;
        String state = "CASE WHEN " + RedrivenTable.IS_ON_ITS_WAY + " THEN 'REPLAYING' ELSE 'RESOLVED' END";
        find = tables.sql(dead("d.seq = ? AND d.state <> 'WAITING'") + " UNION ALL "
                + redriven(state, "d.seq = ? AND " + RedrivenTable.IS_NOT_DEAD));
    }

    private static String dead(String conditions) {
        return """
                SELECT %s, 0, d.state, d.died_at, p.dead_seq, COALESCE(r.replays, 0) FROM {dead_letter} d
                LEFT JOIN {parked_key} p ON p.destination = d.destination AND p.event_key = d.event_key
                    AND p.dead_seq = d.seq AND p.state = 'PARKED'
                LEFT JOIN {redriven} r ON r.seq = d.seq
                WHERE %s
                """.formatted(COLUMNS, conditions);
    }

    private static String redriven(String state, String conditions) {
        return "SELECT %s, 0, %s, d.died_at, NULL, d.replays FROM {redriven} d WHERE %s"
                .formatted(COLUMNS, state, conditions);
    }

    List<DeadLetter> list(DeadLetterFilter filter, long afterSequence, int limit) {
        DeadLetterQuery query = DeadLetterQuery.of(filter);
        String conditions = condition(filter.state()) + query.conditions() + " AND d.seq > ?";
        String select = isDerived(filter.state()) ? redriven("'" + filter.state() + "'", conditions) : dead(conditions);
        return read(
                "list dead letters", tables.sql(select + " ORDER BY d.seq LIMIT ?"), query.with(afterSequence, limit));
    }

    long count(DeadLetterFilter filter) {
        DeadLetterQuery query = DeadLetterQuery.of(filter);
        String sql = tables.sql("SELECT count(*) FROM "
                + (isDerived(filter.state()) ? "{redriven}" : "{dead_letter}") + " d WHERE "
                + condition(filter.state()) + query.conditions());
        return transactor.read("count dead letters", connection -> steps.number(connection, sql, query.with()));
    }

    Optional<DeadLetter> find(long sequence) {
        return read("find dead letter " + sequence, find, sequence, sequence).stream()
                .findFirst();
    }

    private static boolean isDerived(@Nullable State state) {
        return state == State.REPLAYING || state == State.RESOLVED;
    }

    private static String condition(@Nullable State state) {
        if (state == null) {
            // IN and not <>: H2 has no partial index, and reads the index on (state, seq) once for each state.
            return "d.state IN ('DEAD', 'SKIPPED')";
        }
        return switch (state) {
            case REPLAYING -> RedrivenTable.IS_ON_ITS_WAY;
            case RESOLVED -> RedrivenTable.IS_GONE;
            case PENDING, SKIPPED, DISCARDED -> "d.state = '" + StoredState.of(state) + "'";
        };
    }

    private List<DeadLetter> read(String operation, String sql, Object... parameters) {
        List<Optional<DeadLetter>> rows =
                transactor.read(operation, connection -> steps.all(connection, sql, this::letter, parameters));
        return rows.stream().flatMap(Optional::stream).toList();
    }

    /** Empty for a row that is not a valid event: it must not hide the others. */
    private Optional<DeadLetter> letter(ResultSet rows) throws SQLException {
        Optional<Entry> entry = entryRows.readValid(rows, 1);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        State state = StoredState.read(rows.getString(EntryRows.COLUMN_COUNT + 1));
        Instant diedAt = steps.flavour().time(rows, EntryRows.COLUMN_COUNT + 2);
        boolean parksKey = rows.getObject(EntryRows.COLUMN_COUNT + 3) != null;
        int replays = rows.getInt(EntryRows.COLUMN_COUNT + 4);
        return Optional.of(
                new DeadLetter(entry.get(), state, diedAt == null ? Instant.EPOCH : diedAt, parksKey, replays));
    }
}
