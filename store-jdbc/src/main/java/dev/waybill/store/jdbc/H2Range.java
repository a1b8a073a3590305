package dev.waybill.store.jdbc;

import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A backlog on H2, read by sequence for all shards at once. Immutable and thread-safe. */
final class H2Range {
    private final EntryRows entryRows;
    private final String all;
    private final String some;
    private final String last;

    H2Range(Tables tables, EntryRows entryRows) {
        this.entryRows = entryRows;
        String fitting =
                " CASE WHEN GREATEST(OCTET_LENGTH(payload), COALESCE(inflated_size, 0)) <= ? THEN payload END,";
        String select = """
                SELECT %s FROM {outbox} WHERE seq > ? AND seq <= ? AND NOT (destination = ANY (?))%s ORDER BY seq LIMIT ?
                """;
        String entry = H2Reader.ENTRY.replace(" payload,", fitting);
        all = tables.sql(select.formatted(entry, ""));
        // An expression, or H2 would read shard by shard, and sort.
        some = tables.sql(select.formatted(entry, " AND shard + 0 = ANY (?)"));
        last = tables.sql("SELECT seq FROM {outbox} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT 1 OFFSET ?");
    }

    /** Null if it cannot be read so. */
    @Nullable
    RangeRows read(Connection connection, List<ScanCursor> cursors) throws SQLException {
        if (!RangeRows.isWanted(cursors)) {
            return null;
        }
        ScanCursor first = cursors.get(0);
        long cap = cap(connection, cursors);
        boolean whole = cursors.size() == Shards.COUNT;
        try (PreparedStatement statement =
                H2Sql.prepare(connection, whole ? all : some, Backlog.share(cursors), Backlog.start(cursors), cap)) {
            int parameter = 4;
            SqlArrays.bind(statement, parameter++, "varchar", first.skipped().toArray());
            if (!whole) {
                SqlArrays.bind(
                        statement,
                        parameter++,
                        "int",
                        cursors.stream().map(ScanCursor::shard).toArray());
            }
            statement.setInt(parameter, RangeRows.most(cursors));
            return RangeRows.read(statement, cursors, cap, entryRows);
        }
    }

    private long cap(Connection connection, List<ScanCursor> cursors) throws SQLException {
        long decided = cursors.get(0).decided();
        if (!RangeRows.isSifted(cursors)) {
            return decided;
        }
        List<Long> found =
                H2Sql.numbers(connection, last, Backlog.start(cursors), decided, RangeRows.longest(cursors) - 1);
        return found.isEmpty() ? decided : found.get(0);
    }
}
