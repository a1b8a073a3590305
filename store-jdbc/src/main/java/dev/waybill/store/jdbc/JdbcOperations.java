package dev.waybill.store.jdbc;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.operations.Located;
import dev.waybill.operations.Located.Place;
import dev.waybill.operations.Operations;
import dev.waybill.operations.Pause;
import dev.waybill.operations.Statistics;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.ParkedKeys.Parking;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looking into an outbox and holding it back, on every database: short transactions with audit records. Thread-safe. */
final class JdbcOperations implements Operations {
    private final Transactor transactor;
    private final SqlSteps steps;
    private final EntryRows entryRows;
    private final EntryWriter<Connection> writer;
    private final JdbcStatistics statistics;
    private final ParkedKeys keys;
    private final JdbcAudit audit;
    private final String shardOwners;
    private final String findPending;
    private final String findDead;
    private final String findDelivered;
    private final String pausedDestinations;
    private final String pausedKeys;
    private final String isPaused;
    private final String pause;
    private final String resume;
    private final String pauseKey;

    JdbcOperations(
            Tables tables,
            Transactor transactor,
            SqlSteps steps,
            EntryRows entryRows,
            EntryWriter<Connection> writer,
            JdbcStatistics statistics,
            JdbcAudit audit) {
        this.transactor = transactor;
        this.steps = steps;
        this.entryRows = entryRows;
        this.writer = writer;
        this.statistics = statistics;
        this.audit = audit;
        this.keys = new ParkedKeys(tables, steps);
        SqlFlavour flavour = steps.flavour();
        String columns = EntryRows.COLUMNS.replaceAll("(\\w+)", "e.$1");
        shardOwners = tables.sql(
                "SELECT shard, owner FROM {lease} WHERE owner IS NOT NULL AND expires_at > " + flavour.now());
        // Reads the whole outbox: an index on the id would cost every writer.
        findPending = tables.sql(
                """
                SELECT %s, CASE WHEN COALESCE(e.retry_at, e.available_at) IS NULL THEN 0 ELSE %s END,
                    CASE WHEN l.expires_at > %s THEN l.owner END
                FROM {outbox} e JOIN {lease} l ON l.shard = e.shard WHERE e.id = ?
                """.formatted(columns, flavour.microsUntil("COALESCE(e.retry_at, e.available_at)"), flavour.now()));
        findDead = tables.sql(
                "SELECT %s, 0, e.state, COALESCE(e.decided_at, e.died_at) FROM {dead_letter} e WHERE e.id = ?"
                        .formatted(columns));
        findDelivered = tables.sql("SELECT %s, 0, e.delivered_at FROM {history} e WHERE e.id = ?".formatted(columns));
        pausedDestinations =
                tables.sql("SELECT destination, NULL, paused_at, who, why FROM {pause} ORDER BY destination");
        pausedKeys = tables.sql("""
                SELECT destination, event_key, parked_at, who, why FROM {parked_key}
                WHERE dead_seq IS NULL AND state = 'PARKED' ORDER BY destination, event_key
                """);
        isPaused = tables.sql("SELECT destination FROM {pause} WHERE destination = ?");
        pause = tables.sql(
                "INSERT INTO {pause} (destination, paused_at, who, why) VALUES (?, %s, ?, ?)".formatted(flavour.now()));
        resume = tables.sql("DELETE FROM {pause} WHERE destination = ?");
        pauseKey = tables.sql("""
                INSERT INTO {parked_key} (destination, event_key, shard, state, parked_at, who, why)
                VALUES (?, ?, ?, 'PARKED', %s, ?, ?)
                """.formatted(flavour.now()));
    }

    @Override
    public Statistics statistics() {
        return transactor.readAll("count what is in the outbox", statistics::read);
    }

    @Override
    public Map<Integer, UUID> shardOwners() {
        return transactor.readAll("read the owners of the shards", connection -> {
            Map<Integer, UUID> owners = new TreeMap<>();
            steps.all(
                    connection,
                    shardOwners,
                    rows -> owners.put(
                            rows.getInt(1), EntryRows.required(steps.flavour().uuid(rows, 2))));
            return owners;
        });
    }

    @Override
    public List<Located> find(UUID eventId) {
        return transactor.readAll("find event " + eventId, connection -> {
            List<Optional<Located>> rows = new ArrayList<>();
            rows.addAll(steps.all(connection, findPending, this::pending, eventId));
            steps.flavour().preferIndexes(connection);
            rows.addAll(steps.all(connection, findDead, this::dead, eventId));
            rows.addAll(steps.all(connection, findDelivered, this::delivered, eventId));
            return rows.stream()
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparingLong(located -> located.entry().sequence()))
                    .toList();
        });
    }

    private Optional<Located> pending(ResultSet rows) throws SQLException {
        UUID owner = steps.flavour().uuid(rows, EntryRows.COLUMN_COUNT + 1);
        return entryRows.readValid(rows, 1).map(entry -> new Located(entry, placeOf(entry), null, owner));
    }

    private static Place placeOf(Entry entry) {
        if (entry.isDue()) {
            return Place.PENDING;
        }
        return entry.attempts() > 0 ? Place.RETRYING : Place.DELAYED;
    }

    /** The states of the column are names of places. */
    private Optional<Located> dead(ResultSet rows) throws SQLException {
        Place place = Place.valueOf(rows.getString(EntryRows.COLUMN_COUNT + 1));
        var since = steps.flavour().time(rows, EntryRows.COLUMN_COUNT + 2);
        return entryRows.readValid(rows, 1).map(entry -> new Located(entry, place, since, null));
    }

    private Optional<Located> delivered(ResultSet rows) throws SQLException {
        var since = steps.time(rows, EntryRows.COLUMN_COUNT + 1);
        return entryRows.readValid(rows, 1).map(entry -> new Located(entry, Place.DELIVERED, since, null));
    }

    @Override
    public List<Pause> pauses() {
        return transactor.read("list pauses", connection -> {
            List<Pause> pauses = new ArrayList<>(steps.all(connection, pausedDestinations, this::pause));
            pauses.addAll(steps.all(connection, pausedKeys, this::pause));
            return pauses;
        });
    }

    private Pause pause(ResultSet rows) throws SQLException {
        return new Pause(
                rows.getString(1),
                rows.getString(2),
                steps.time(rows, 3),
                Signature.of(rows.getString(4), rows.getString(5)));
    }

    @Override
    public boolean pauseDestination(String destination, Signature signature) {
        return transactor.changeOnce("pause " + destination, connection -> {
            if (steps.first(connection, isPaused, rows -> true, destination).isPresent()) {
                return false;
            }
            steps.update(connection, pause, destination, who(signature), why(signature));
            record(connection, Action.PAUSE, "destination " + destination, null, signature);
            return true;
        });
    }

    @Override
    public boolean resumeDestination(String destination, Signature signature) {
        return transactor.change("resume " + destination, connection -> {
            if (steps.update(connection, resume, destination) == 0) {
                return false;
            }
            record(connection, Action.RESUME, "destination " + destination, null, signature);
            return true;
        });
    }

    @Override
    public boolean pauseKey(OrderKey key, Signature signature) {
        return transactor.change("pause " + key, connection -> {
            keys.lockShard(connection, key.shard());
            if (keys.lock(connection, key).isPresent()) {
                return false;
            }
            steps.update(
                    connection, pauseKey, key.destination(), key.key(), key.shard(), who(signature), why(signature));
            keys.rewind(connection, key.shard());
            record(connection, Action.PAUSE, key.toString(), null, signature);
            return true;
        });
    }

    @Override
    public boolean resumeKey(OrderKey key, Signature signature) {
        return transactor.change("resume " + key, connection -> {
            keys.lockShard(connection, key.shard());
            Optional<Parking> parking = keys.lock(connection, key).filter(Parking::isParked);
            if (parking.isEmpty() || parking.get().head().isPresent()) {
                return false;
            }
            keys.release(connection, key);
            record(connection, Action.RESUME, key.toString(), null, signature);
            return true;
        });
    }

    @Override
    public boolean cancel(UUID eventId, Signature signature) {
        return transactor.change("cancel event " + eventId, connection -> {
            if (!writer.cancel(connection, eventId)) {
                return false;
            }
            record(connection, Action.CANCEL, "event " + eventId, eventId, signature);
            return true;
        });
    }

    private void record(
            Connection connection, Action action, String subject, @Nullable UUID eventId, Signature signature)
            throws SQLException {
        audit.record(connection, action, subject, eventId, signature);
    }

    private static String who(Signature signature) {
        return StoredText.storable(signature.who());
    }

    private static String why(Signature signature) {
        return StoredText.storable(signature.why());
    }
}
