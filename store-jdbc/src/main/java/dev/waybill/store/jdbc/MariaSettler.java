package dev.waybill.store.jdbc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.jdbc.MariaSql.Place;
import dev.waybill.store.jdbc.ParkedKeys.Parking;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a relay changes entries, on MariaDB: a short transaction that begins with the fence. Thread-safe.
 *
 * <p>Locks are taken in one order: leases by shard, then the key, then entries by primary key. Nothing is locked that a
 * writer has not committed: entries are found by reading, and locked by name.
 */
final class MariaSettler implements EntrySettler {
    private static final Logger log = LoggerFactory.getLogger(MariaSettler.class);
    private static final JsonFactory JSON = new JsonFactory();

    // What to do with which entry, as a table in the statement: one parameter, however many.
    private static final String OUTCOMES = """
            JSON_TABLE(?, '$[*]' COLUMNS (
                shard int PATH '$[0]', seq bigint PATH '$[1]',
                error varchar(4000) CHARACTER SET utf8mb4 PATH '$[2]', number bigint PATH '$[3]'
            )) d STRAIGHT_JOIN {outbox} o ON o.seq = d.seq AND o.shard = d.shard
            """;

    private final MariaSessions sessions;
    private final Tables tables;
    private final MariaProduct product;
    private final MariaFence fence;
    private final ParkedKeys keys;
    private final boolean keeps;
    private final String retry;
    private final String bury;
    private final String park;
    private final String firstOfKey;
    private final String firstWaiting;

    MariaSettler(
            MariaSessions sessions,
            MariaProduct product,
            Tables tables,
            MariaFence fence,
            ParkedKeys keys,
            Duration retention) {
        this.sessions = sessions;
        this.product = product;
        this.tables = tables;
        this.fence = fence;
        this.keys = keys;
        this.keeps = !retention.isZero();
        retry = tables.sql("UPDATE " + OUTCOMES + """
                SET o.attempts = o.attempts + 1, o.last_error = d.error,
                    o.retry_at = UTC_TIMESTAMP(6) + INTERVAL d.number MICROSECOND
                """);
        bury = tables.sql("""
                INSERT INTO {dead_letter} (%s, state, died_at)
                SELECT o.seq, o.shard, o.id, o.destination, o.event_key, o.type, o.version, o.content_type, o.headers,
                    o.payload, o.occurred_at, o.available_at, o.attempts + 1, d.error, o.replay, o.inflated_size,
                    'DEAD', UTC_TIMESTAMP(6) FROM
                """.formatted(EntryRows.COLUMNS) + OUTCOMES);
        // A key that is parked already keeps its head; one that somebody paused gets it. In this order: the second
        // assignment sees what the first one did.
        park = tables.sql("""
                INSERT INTO {parked_key} (destination, event_key, shard, state, dead_seq, parked_at)
                SELECT o.destination, o.event_key, o.shard, 'PARKED', o.seq, UTC_TIMESTAMP(6) FROM
                """ + OUTCOMES + """
                WHERE d.number = 1 AND o.event_key IS NOT NULL ORDER BY o.destination, o.event_key, o.seq
                ON DUPLICATE KEY UPDATE
                    state = IF({parked_key}.dead_seq IS NULL, 'PARKED', {parked_key}.state),
                    dead_seq = COALESCE({parked_key}.dead_seq, VALUES(dead_seq))
                """);
        firstOfKey = tables.sql("""
                SELECT shard, seq FROM {outbox} FORCE INDEX (%soutbox_shard)
                WHERE shard = ? AND seq BETWEEN ? AND ? AND destination = ? AND event_key = ? ORDER BY seq LIMIT ?
                """.formatted(tables.prefix()));
        firstWaiting = tables.sql("""
                SELECT seq FROM {dead_letter} FORCE INDEX (%sdead_letter_waiting)
                WHERE destination = ? AND event_key = ? AND state = 'WAITING' ORDER BY seq LIMIT ?
                """.formatted(tables.prefix()));
    }

    @Override
    public Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return Set.of();
        }
        if (outcomes.stream().allMatch(Outcome.Delivered.class::isInstance)) {
            try {
                return settle(relay, leases, outcomes, this::applyAtOnce);
            } catch (RowLockedException e) {
                log.debug("A delivery cannot be settled now, because its event is being cancelled");
            }
        }
        return settle(relay, leases, outcomes, this::apply);
    }

    private interface Step {
        void on(Connection connection, List<Outcome> outcomes) throws SQLException;
    }

    private Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes, Step step) {
        Set<Integer> shards = outcomes.stream().map(Outcome::shard).collect(Collectors.toCollection(TreeSet::new));
        List<Lease> needed =
                leases.stream().filter(lease -> shards.contains(lease.shard())).toList();
        return sessions.transaction("settle", connection -> {
            Set<Integer> held = fence.hold(connection, relay, needed);
            List<Outcome> ours = outcomes.stream()
                    .filter(outcome -> held.contains(outcome.shard()))
                    .toList();
            if (!ours.isEmpty()) {
                step.on(connection, ours);
            }
            Set<Integer> lost = new TreeSet<>(shards);
            lost.removeAll(held);
            return lost;
        });
    }

    /** Deliveries without a look at what is locked, which takes as long as to delete them: fails if something is. */
    private void applyAtOnce(Connection connection, List<Outcome> delivered) throws SQLException {
        List<Place> places = delivered.stream().map(MariaSettler::place).toList();
        Optional<String> delete = product.withoutWaiting(deletion(places));
        if (delete.isEmpty()) {
            apply(connection, delivered);
            return;
        }
        keep(connection, places);
        try {
            MariaSql.update(connection, delete.get());
        } catch (SQLException e) {
            if (e.getErrorCode() == MariaProduct.LOCKED) {
                throw new RowLockedException();
            }
            throw e;
        }
    }

    /** Somebody has locked an entry: an event that is being cancelled. */
    private static final class RowLockedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void apply(Connection connection, List<Outcome> outcomes) throws SQLException {
        // A cancel that is not yet committed holds the row of its event. Waiting for it would make the whole relay wait
        // for a transaction of the application: such a row is left as it is. If the cancel commits, it is gone; if not,
        // the event is delivered again.
        Set<Place> unlocked = new HashSet<>(MariaSql.places(
                connection,
                tables.sql("SELECT shard, seq FROM {outbox} FORCE INDEX (PRIMARY) WHERE "
                        + MariaSql.at(outcomes.stream().map(MariaSettler::place).toList())
                        + " FOR UPDATE SKIP LOCKED")));
        List<Outcome.Retried> retried = new ArrayList<>();
        List<Outcome.Died> died = new ArrayList<>();
        List<Place> delivered = new ArrayList<>();
        List<Place> gone = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (!unlocked.contains(place(outcome))) {
                continue;
            }
            if (outcome instanceof Outcome.Retried one) {
                retried.add(one);
                continue;
            }
            if (outcome instanceof Outcome.Died one) {
                died.add(one);
            } else {
                delivered.add(place(outcome));
            }
            gone.add(place(outcome));
        }
        retry(connection, retried);
        bury(connection, died);
        keep(connection, delivered);
        delete(connection, gone);
    }

    private static Place place(Outcome outcome) {
        return new Place(outcome.shard(), outcome.sequence());
    }

    private void retry(Connection connection, List<Outcome.Retried> retried) throws SQLException {
        if (!retried.isEmpty()) {
            Rows rows = new Rows();
            retried.forEach(one -> rows.add(one, one.error(), EntryRows.toMicros(one.after())));
            MariaSql.update(connection, retry, rows.text());
        }
    }

    private void bury(Connection connection, List<Outcome.Died> died) throws SQLException {
        if (died.isEmpty()) {
            return;
        }
        Rows rows = new Rows();
        died.forEach(one -> rows.add(one, one.error(), one.policy() == DeadLetterPolicy.PARK ? 1 : 0));
        String text = rows.text();
        MariaSql.update(connection, bury, text);
        if (died.stream().anyMatch(one -> one.policy() == DeadLetterPolicy.PARK)) {
            MariaSql.update(connection, park, text);
        }
    }

    /** One statement, and so one time for all of them. Last but one: a replay waits for what comes after that time. */
    private void keep(Connection connection, List<Place> delivered) throws SQLException {
        if (keeps && !delivered.isEmpty()) {
            String sql = "INSERT INTO {history} (%1$s, delivered_at) SELECT %1$s, UTC_TIMESTAMP(6)"
                    + " FROM {outbox} FORCE INDEX (PRIMARY) WHERE %2$s";
            MariaSql.update(connection, tables.sql(sql.formatted(EntryRows.COLUMNS, MariaSql.at(delivered))));
        }
    }

    private void delete(Connection connection, List<Place> places) throws SQLException {
        if (!places.isEmpty()) {
            MariaSql.update(connection, deletion(places));
        }
    }

    /** In this form, because only this one takes an index by name. */
    private String deletion(List<Place> places) {
        return tables.sql("DELETE o FROM {outbox} AS o FORCE INDEX (PRIMARY) WHERE " + MariaSql.at(places));
    }

    @Override
    public OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        OrderKey key = stretch.key();
        return sessions.transaction("hold the entries of a parked key", connection -> {
            if (fence.hold(connection, relay, List.of(lease)).isEmpty()) {
                return OptionalInt.empty();
            }
            if (keys.lock(connection, key).filter(Parking::isParked).isEmpty()) {
                return OptionalInt.of(0);
            }
            List<Place> found = MariaSql.places(
                    connection,
                    firstOfKey,
                    lease.shard(),
                    stretch.from(),
                    stretch.to(),
                    key.destination(),
                    key.key(),
                    limit);
            if (!found.isEmpty()) {
                // Locked before they are copied: one that a cancel has just removed must not come back.
                List<Place> locked = MariaSql.places(
                        connection,
                        tables.sql("SELECT shard, seq FROM {outbox} FORCE INDEX (PRIMARY) WHERE " + MariaSql.at(found)
                                + " FOR UPDATE"));
                move(connection, "{outbox}", "{dead_letter}", ", state", ", 'WAITING'", locked);
            }
            return OptionalInt.of(found.size());
        });
    }

    /**
     * Counts what it found, not what it could move: one of those may be cancelled at this moment, and more may wait behind
     * them. The key becomes free in the transaction that puts its last entry back, or a crash in between would leave it
     * parked for ever.
     */
    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        return sessions.transaction("restore the entries of a key", connection -> {
            if (fence.hold(connection, relay, List.of(lease)).isEmpty()) {
                return OptionalInt.empty();
            }
            Optional<Parking> parking = keys.lock(connection, key);
            if (parking.isEmpty()) {
                return OptionalInt.of(0);
            }
            if (parking.get().isParked()) {
                return OptionalInt.empty();
            }
            List<Long> found = MariaSql.numbers(connection, firstWaiting, key.destination(), key.key(), limit);
            if (!found.isEmpty()) {
                List<Place> locked = MariaSql.places(
                        connection,
                        tables.sql("SELECT shard, seq FROM {dead_letter} FORCE INDEX (PRIMARY) WHERE "
                                + MariaSql.isOneOf(found) + " FOR UPDATE"));
                move(connection, "{dead_letter}", "{outbox}", "", "", locked);
            }
            if (found.size() < limit) {
                keys.free(connection, key);
            }
            return OptionalInt.of(found.size());
        });
    }

    /** Moves rows that are locked. */
    private void move(Connection connection, String from, String to, String columns, String values, List<Place> places)
            throws SQLException {
        if (places.isEmpty()) {
            return;
        }
        String where = " FORCE INDEX (PRIMARY) WHERE " + MariaSql.at(places);
        MariaSql.update(
                connection,
                tables.sql("INSERT INTO " + to + " (" + EntryRows.COLUMNS + columns + ") SELECT " + EntryRows.COLUMNS
                        + values + " FROM " + from + where));
        MariaSql.update(connection, tables.sql("DELETE o FROM " + from + " AS o" + where));
    }

    /** Outcomes as JSON. */
    private static final class Rows {
        private final StringWriter text = new StringWriter();
        private final JsonGenerator json;

        Rows() {
            try {
                json = JSON.createGenerator(text);
                json.writeStartArray();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void add(Outcome outcome, String error, long number) {
            try {
                json.writeStartArray();
                json.writeNumber(outcome.shard());
                json.writeNumber(outcome.sequence());
                json.writeString(StoredText.error(error));
                json.writeNumber(number);
                json.writeEndArray();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String text() {
            try {
                json.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString();
        }
    }
}
