package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.Payload;
import dev.waybill.store.Entry;
import dev.waybill.store.Shards;
import dev.waybill.store.StoreException;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How entries and rows become each other, the same for every database.
 *
 * <p>The order of the columns is the contract with the dialects' SQL.
 */
final class EntryRows {
    private static final Logger log = LoggerFactory.getLogger(EntryRows.class);

    // Rows that were warned about: a relay meets them again and again.
    private static final Set<Long> REPORTED = ConcurrentHashMap.newKeySet();
    private static final int MOST_REPORTED = 1000;

    /** What {@link #read} expects, followed by the microseconds until the entry is due. */
    static final String COLUMNS =
            "seq, shard, id, destination, event_key, type, version, content_type, headers, payload,"
                    + " occurred_at, available_at, attempts, last_error";

    /** What {@link #bind} sets. */
    static final String INSERTED = "shard, id, destination, event_key, type, version, content_type, headers, payload,"
            + " occurred_at, available_at";

    static final int COLUMN_COUNT = 15;

    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    private EntryRows() {}

    /** Binds the values of a new row as parameters 1 to 11. */
    static void bind(PreparedStatement statement, Event event) throws SQLException {
        statement.setInt(1, Shards.of(event));
        statement.setObject(2, event.id());
        statement.setString(3, event.destination());
        statement.setString(4, event.key());
        statement.setString(5, event.type());
        statement.setInt(6, event.version());
        statement.setString(7, event.contentType());
        statement.setString(8, HeadersJson.write(event.headers()));
        statement.setBytes(9, event.payload().bytes());
        statement.setObject(10, atUtc(event.occurredAt()));
        if (event.availableAt() == null) {
            statement.setNull(11, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(11, atUtc(event.availableAt()));
        }
    }

    /** Reads all rows of a result that has nothing but an entry's columns. */
    static List<Entry> readAll(ResultSet rows) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        while (rows.next()) {
            readValid(rows, 1).ifPresent(entries::add);
        }
        return entries;
    }

    /**
     * Reads an entry like {@link #read}; empty for a row that is not a valid event. Such a row stays where it is, with a
     * warning: it must not stop the others.
     */
    static Optional<Entry> readValid(ResultSet rows, int first) throws SQLException {
        try {
            return Optional.of(read(rows, first));
        } catch (StoreException e) {
            if (REPORTED.size() < MOST_REPORTED && REPORTED.add(rows.getLong(first))) {
                log.warn("{}", e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Reads an entry from 15 columns beginning at the given one. */
    static Entry read(ResultSet rows, int first) throws SQLException {
        long sequence = rows.getLong(first);
        try {
            return new Entry(
                    sequence,
                    rows.getInt(first + 1),
                    event(rows, first + 2),
                    rows.getInt(first + 12),
                    rows.getString(first + 13),
                    micros(rows.getLong(first + 14)));
        } catch (InvalidEventException | IOException e) {
            // Waybill writes no such row: somebody else inserted or changed it.
            throw new StoreException(
                    "Entry " + sequence + " is not a valid event: " + e.getMessage() + " Correct the row or delete it.",
                    e);
        }
    }

    private static Event event(ResultSet rows, int first) throws SQLException, IOException {
        return new Event(
                rows.getObject(first, UUID.class),
                rows.getString(first + 1),
                rows.getString(first + 2),
                rows.getString(first + 3),
                rows.getInt(first + 4),
                Payload.of(rows.getBytes(first + 7)),
                rows.getString(first + 5),
                HeadersJson.read(rows.getString(first + 6)),
                rows.getObject(first + 8, OffsetDateTime.class).toInstant(),
                instant(rows, first + 9));
    }

    static @Nullable Instant instant(ResultSet rows, int column) throws SQLException {
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static OffsetDateTime atUtc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** Microseconds, the resolution of databases; a wait of more than a century is cut to one. */
    static long toMicros(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : duration;
        return bounded.isNegative() ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(bounded));
    }

    static Duration micros(long micros) {
        return micros <= 0 ? Duration.ZERO : Duration.of(micros, ChronoUnit.MICROS);
    }
}
