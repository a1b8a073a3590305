package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How entries and rows become each other, the same for every database. Thread-safe.
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
                    + " occurred_at, available_at, attempts, last_error, replay, inflated_size";

    /** What {@link #bindPlain} sets. */
    static final String PLAIN = "shard, id, destination, event_key, type, version, content_type, payload, occurred_at";

    /** For the statement that {@link #bindPlain} is for. */
    static final String PLAIN_PARAMETERS = "?, ?, ?, ?, ?, ?, ?, ?, ?";

    static final int PLAIN_COUNT = 9;

    /** The part of the plain columns that the events of a transaction often have in common. */
    static final String SHARED = "destination, type, version, content_type";

    /** The other part of them, as {@link #bindOwn} sets it. */
    static final String OWN = "shard, id, event_key, payload, occurred_at";

    static final int SHARED_COUNT = 4;

    static final int OWN_COUNT = 5;

    /** What {@link #bind} sets. */
    static final String INSERTED = PLAIN + ", headers, available_at, inflated_size";

    /** For the statement that {@link #bind} is for. */
    static final String PARAMETERS = PLAIN_PARAMETERS + ", ?, ?, ?";

    static final int INSERTED_COUNT = 12;

    static final int COLUMN_COUNT = 17;

    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    private final SqlFlavour flavour;
    private final int compressAbove;

    EntryRows(SqlFlavour flavour, JdbcStoreConfig config) {
        this.flavour = flavour;
        this.compressAbove = config.compressAbove();
    }

    /** Whether the event leaves empty what many events leave empty: headers, a delay, a compressed payload. */
    boolean isPlain(Event event) {
        return event.headers().isEmpty()
                && event.availableAt() == null
                && (compressAbove == 0 || event.payload().size() <= compressAbove);
    }

    /** Binds the values of a new row for a {@linkplain #isPlain plain} event, as 9 parameters beginning at the given one. */
    void bindPlain(PreparedStatement statement, int first, Event event) throws SQLException {
        bind(statement, first, event, event.payload().bytes());
    }

    private void bind(PreparedStatement statement, int first, Event event, byte[] payload) throws SQLException {
        statement.setShort(first, (short) Shards.of(event));
        flavour.bind(statement, first + 1, event.id());
        statement.setString(first + 2, event.destination());
        statement.setString(first + 3, event.key());
        statement.setString(first + 4, event.type());
        statement.setInt(first + 5, event.version());
        statement.setString(first + 6, event.contentType());
        statement.setBytes(first + 7, payload);
        flavour.bind(statement, first + 8, event.occurredAt());
    }

    /** Whether two events have the same values in the {@linkplain #SHARED shared} columns. */
    static boolean isAlike(Event one, Event other) {
        return one.destination().equals(other.destination())
                && one.type().equals(other.type())
                && one.version() == other.version()
                && one.contentType().equals(other.contentType());
    }

    /** Binds the 4 values that all of some {@linkplain #isAlike alike} events have. */
    static void bindShared(PreparedStatement statement, int first, Event event) throws SQLException {
        statement.setString(first, event.destination());
        statement.setString(first + 1, event.type());
        statement.setInt(first + 2, event.version());
        statement.setString(first + 3, event.contentType());
    }

    /** Binds the 5 values that a plain event has for itself. */
    void bindOwn(PreparedStatement statement, int first, Event event) throws SQLException {
        statement.setShort(first, (short) Shards.of(event));
        flavour.bind(statement, first + 1, event.id());
        statement.setString(first + 2, event.key());
        statement.setBytes(first + 3, event.payload().bytes());
        flavour.bind(statement, first + 4, event.occurredAt());
    }

    /** Binds the values of a new row as 12 parameters beginning at the given one. */
    void bind(PreparedStatement statement, int first, Event event) throws SQLException {
        StoredPayload payload = stored(event);
        bind(statement, first, event, payload.bytes());
        statement.setString(first + 9, HeadersJson.write(event.headers()));
        flavour.bind(statement, first + 10, event.availableAt());
        if (payload.inflatedSize() == null) {
            statement.setNull(first + 11, Types.INTEGER);
        } else {
            statement.setInt(first + 11, payload.inflatedSize());
        }
    }

    /** The payload as a row of this store holds it. */
    StoredPayload stored(Event event) {
        return StoredPayload.of(event.payload(), compressAbove);
    }

    /** Reads all rows of a result that has nothing but an entry's columns. */
    List<Entry> readAll(ResultSet rows) throws SQLException {
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
    Optional<Entry> readValid(ResultSet rows, int first) throws SQLException {
        try {
            return Optional.of(read(rows, first));
        } catch (StoreException e) {
            if (REPORTED.size() < MOST_REPORTED && REPORTED.add(rows.getLong(first))) {
                log.warn("{}", e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Reads an entry from 17 columns beginning at the given one. */
    Entry read(ResultSet rows, int first) throws SQLException {
        long sequence = rows.getLong(first);
        try {
            return new Entry(
                    sequence,
                    rows.getInt(first + 1),
                    event(rows, first + 2),
                    rows.getInt(first + 12),
                    rows.getString(first + 13),
                    rows.getInt(first + 14),
                    micros(rows.getLong(first + 16)));
        } catch (InvalidEventException | IOException e) {
            // Waybill writes no such row: somebody else inserted or changed it.
            throw new StoreException(
                    "Entry " + sequence + " is not a valid event: " + e.getMessage() + " Correct the row or delete it.",
                    e);
        }
    }

    /** Reads an event from 14 columns, id to inflated_size, beginning at the given one. */
    @SuppressWarnings("NullAway") // the event itself says what is missing
    Event event(ResultSet rows, int first) throws SQLException, IOException {
        int size = rows.getInt(first + 13);
        Integer inflatedSize = rows.wasNull() ? null : size;
        return new Event(
                flavour.uuid(rows, first),
                rows.getString(first + 1),
                rows.getString(first + 2),
                rows.getString(first + 3),
                rows.getInt(first + 4),
                new StoredPayload(rows.getBytes(first + 7), inflatedSize).payload(),
                rows.getString(first + 5),
                HeadersJson.read(rows.getString(first + 6)),
                flavour.time(rows, first + 8),
                flavour.time(rows, first + 9));
    }

    /** A value that a column cannot hold null for. */
    static <T> T required(@Nullable T value) throws SQLException {
        if (value == null) {
            throw new SQLException("A column of Waybill's tables is null that must not be", "22004");
        }
        return value;
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
