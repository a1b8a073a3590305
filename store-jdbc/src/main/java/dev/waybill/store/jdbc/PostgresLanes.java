package dev.waybill.store.jdbc;

import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.ScanCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a relay reads the lanes of destinations that are behind, on PostgreSQL. Immutable and thread-safe. */
final class PostgresLanes {
    // What a row of the result is: its second column.
    private static final int TAKEN = 2;
    private static final int STOP = 4;

    // A lane reads over the rows of other destinations: at most so many for each that it may return.
    private static final int LANE_FACTOR = 4;

    private final EntryRows entryRows;
    private final String readLanes;
    private final String readTogether;

    PostgresLanes(PostgresStatements statements, EntryRows entryRows) {
        this.entryRows = entryRows;
        // A backlog is read by range, as the scan does it.
        readTogether = statements.withBitmaps(PostgresScan.range("= ?"));
        // The lane's rows are found among those of the shard: an index for lanes would cost every writer, and lanes
        // are read only while a destination is behind. The page ends at the last row that was looked at, whosever it
        // is.
        readLanes = statements.withOnePlan("""
                SELECT c.lane, CASE
                        WHEN NOT o.hit THEN 3
                        WHEN o.taken > c.lim OR (o.bytes > c.max_bytes AND o.taken > 1) THEN 4
                        ELSE 2
                    END, o.looked, o.seq, o.shard, o.id, o.destination, o.event_key, o.type, o.version, o.content_type,
                    o.headers,
                    CASE WHEN o.hit AND o.taken <= c.lim THEN o.payload END,
                    o.occurred_at, o.available_at, o.attempts, o.last_error, o.replay, o.inflated_size, %s
                FROM unnest(?::smallint[], ?::text[], ?::bigint[], ?::int[], ?::bigint[]) WITH ORDINALITY
                    AS c (shard, destination, position, lim, max_bytes, lane)
                CROSS JOIN LATERAL (
                    SELECT r.*, row_number() OVER w AS looked, lead(r.seq) OVER w IS NULL AS last,
                        count(*) FILTER (WHERE r.hit) OVER w AS taken, sum(r.size) OVER w AS bytes
                    FROM (
                        SELECT o.*, o.destination = c.destination AS hit,
                            CASE WHEN o.destination = c.destination THEN COALESCE(o.inflated_size, octet_length(o.payload))
                                ELSE 0 END AS size
                        FROM {outbox} o WHERE o.shard = c.shard AND o.seq > c.position
                        ORDER BY o.seq LIMIT %d * (c.lim + 1)
                    ) r
                    WINDOW w AS (ORDER BY r.seq ROWS UNBOUNDED PRECEDING)
                ) o
                WHERE ((o.hit AND o.taken <= c.lim + 1) OR (o.last AND o.taken <= c.lim))
                    AND o.bytes - o.size <= c.max_bytes
                ORDER BY c.lane, o.seq
                """.formatted(PostgresReader.DUE_IN, LANE_FACTOR));
    }

    List<LanePage> read(Connection connection, List<LaneCursor> lanes) throws SQLException {
        Map<String, List<LaneCursor>> byDestination = new LinkedHashMap<>();
        for (LaneCursor lane : lanes) {
            byDestination
                    .computeIfAbsent(lane.destination(), destination -> new ArrayList<>())
                    .add(lane);
        }
        List<LanePage> pages = new ArrayList<>(lanes.size());
        List<LaneCursor> others = new ArrayList<>();
        for (Map.Entry<String, List<LaneCursor>> one : byDestination.entrySet()) {
            List<LanePage> together = readTogether(connection, one.getKey(), one.getValue());
            if (together == null) {
                others.addAll(one.getValue());
            } else {
                pages.addAll(together);
            }
        }
        if (!others.isEmpty()) {
            pages.addAll(readEach(connection, others));
        }
        return pages;
    }

    /** By range, or null if it cannot be read so, or nothing was found in it. */
    private @Nullable List<LanePage> readTogether(Connection connection, String destination, List<LaneCursor> lanes)
            throws SQLException {
        // Up to any sequence: the scan was there before, and brings what is committed later.
        List<ScanCursor> cursors = lanes.stream()
                .map(lane -> new ScanCursor(
                        lane.shard(),
                        lane.position(),
                        lane.position(),
                        lane.limit(),
                        lane.maxBytes(),
                        Set.of(),
                        Long.MAX_VALUE))
                .toList();
        if (!Backlog.isWanted(cursors) || !PostgresStatements.readsArraysByIndex(connection)) {
            return null;
        }
        PostgresPages together = new PostgresPages(entryRows, cursors, true);
        int most = Backlog.most(cursors);
        try (PreparedStatement statement = PostgresStatements.prepare(connection, readTogether)) {
            PostgresScan.bindRange(statement, cursors, most, null);
            statement.setString(PostgresScan.DESTINATIONS, destination);
            together.readRange(PostgresStatements.query(statement));
        }
        return together.isWhole(most) ? together.build(lanes) : null;
    }

    private List<LanePage> readEach(Connection connection, List<LaneCursor> lanes) throws SQLException {
        List<LaneBuilder> builders =
                lanes.stream().map(lane -> new LaneBuilder(entryRows, lane)).toList();
        try (PreparedStatement statement = PostgresStatements.prepare(connection, readLanes)) {
            PostgresScan.bind(statement, 1, "smallint", lanes, lane -> (short) lane.shard());
            PostgresScan.bind(statement, 2, "text", lanes, LaneCursor::destination);
            PostgresScan.bind(statement, 3, "bigint", lanes, LaneCursor::position);
            PostgresScan.bind(statement, 4, "int", lanes, LaneCursor::limit);
            PostgresScan.bind(statement, 5, "bigint", lanes, LaneCursor::maxBytes);
            ResultSet rows = PostgresStatements.query(statement);
            while (rows.next()) {
                builders.get(rows.getInt(1) - 1).add(rows);
            }
        }
        return builders.stream().map(LaneBuilder::build).toList();
    }

    /** Collects the rows of one lane. */
    private static final class LaneBuilder {
        private final EntryRows entryRows;
        private final LaneCursor cursor;
        private final List<Entry> entries = new ArrayList<>();
        private long position;
        private boolean more;
        private long bytes;

        LaneBuilder(EntryRows entryRows, LaneCursor cursor) {
            this.entryRows = entryRows;
            this.cursor = cursor;
            this.position = cursor.position();
        }

        void add(ResultSet rows) throws SQLException {
            int part = rows.getInt(2);
            if (part == STOP) {
                more = true;
                return;
            }
            position = rows.getLong(4);
            more |= rows.getLong(3) == LANE_FACTOR * (cursor.limit() + 1L);
            if (part == TAKEN) {
                entryRows.readValid(rows, 4).ifPresent(this::take);
            }
        }

        private void take(Entry entry) {
            entries.add(entry);
            bytes += entry.event().payload().size();
            more |= bytes > cursor.maxBytes();
        }

        LanePage build() {
            return new LanePage(cursor, entries, position, more);
        }
    }
}
