package dev.waybill.store.jdbc;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How replays and rows become each other, and how a filter becomes SQL. Thread-safe. */
final class ReplayRows {
    /** What {@link #read} expects. */
    static final String COLUMNS =
            "generation, request, from_at, to_at, destination, event_key, type, per_second, state,"
                    + " replayed, position_at, started_at, ended_at";

    private final SqlSteps steps;

    ReplayRows(SqlSteps steps) {
        this.steps = steps;
    }

    Replay read(ResultSet rows) throws SQLException {
        SqlFlavour flavour = steps.flavour();
        ReplayFilter filter = new ReplayFilter(
                steps.time(rows, 3), steps.time(rows, 4), rows.getString(5), rows.getString(6), rows.getString(7));
        return new Replay(
                rows.getInt(1),
                EntryRows.required(flavour.uuid(rows, 2)),
                filter,
                rows.getInt(8),
                Replay.State.valueOf(rows.getString(9)),
                rows.getLong(10),
                flavour.time(rows, 11),
                steps.time(rows, 12),
                flavour.time(rows, 13));
    }

    /**
     * What a filter asks of a row beside its time of delivery. Copies are never replayed again.
     *
     * @param sql        conditions that need no table's name
     * @param parameters what they are compared with
     */
    record Conditions(String sql, List<Object> parameters) {

        static Conditions of(ReplayFilter filter) {
            StringBuilder sql = new StringBuilder("COALESCE(replay, 0) = 0");
            List<Object> parameters = new ArrayList<>();
            add(sql, parameters, "destination", filter.destination());
            add(sql, parameters, "event_key", filter.key());
            add(sql, parameters, "type", filter.type());
            return new Conditions(sql.toString(), parameters);
        }

        private static void add(StringBuilder sql, List<Object> parameters, String column, @Nullable String expected) {
            if (expected != null) {
                sql.append(" AND ").append(column).append(" = ?");
                parameters.add(expected);
            }
        }

        /** All parameters of a statement in which these conditions come between others. */
        Object[] between(List<?> before, Object... after) {
            List<Object> all = new ArrayList<>(before);
            all.addAll(parameters);
            all.addAll(List.of(after));
            return all.toArray();
        }
    }
}
