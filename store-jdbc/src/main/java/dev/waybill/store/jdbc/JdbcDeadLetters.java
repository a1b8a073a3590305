package dev.waybill.store.jdbc;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.ParkedKeys.Parking;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters and parked keys, on every database: a short transaction for each decision, with its audit record.
 * Thread-safe.
 */
final class JdbcDeadLetters implements DeadLetters {
    private final Transactor transactor;
    private final SqlSteps steps;
    private final EntryRows entryRows;
    private final ParkedKeys keys;
    private final RedrivenTable redriven;
    private final DeadLetterReader reader;
    private final JdbcAudit audit;
    private final String entry;
    private final String parked;
    private final String placeOf;
    private final String lockPlaceOf;
    private final String idOf;
    private final String revive;
    private final String decide;
    private final String putBack;
    private final String delete;
    private final String update;

    JdbcDeadLetters(
            Tables tables,
            Transactor transactor,
            SqlSteps steps,
            EntryRows entryRows,
            RedrivenTable redriven,
            JdbcAudit audit) {
        this.transactor = transactor;
        this.steps = steps;
        this.entryRows = entryRows;
        this.redriven = redriven;
        this.reader = new DeadLetterReader(tables, transactor, steps, entryRows);
        this.audit = audit;
        this.keys = new ParkedKeys(tables, steps);
        String now = steps.flavour().now();
        entry = tables.sql("SELECT " + EntryRows.COLUMNS + ", 0 FROM {dead_letter} WHERE seq = ?");
        // The limit within, so that only the keys of the answer are counted.
        parked = tables.sql("""
                SELECT p.destination, p.event_key, p.shard, p.state, p.dead_seq, p.parked_at, (
                    SELECT count(*) FROM {dead_letter} d
                    WHERE d.destination = p.destination AND d.event_key = p.event_key AND d.state = 'WAITING'
                )
                FROM (
                    SELECT * FROM {parked_key} ORDER BY parked_at, COALESCE(dead_seq, 0), destination, event_key LIMIT ?
                ) p
                ORDER BY p.parked_at, COALESCE(p.dead_seq, 0), p.destination, p.event_key
                """);
        placeOf = tables.sql("""
                SELECT shard, destination, event_key, id FROM {dead_letter}
                WHERE seq = ? AND state IN ('DEAD', 'SKIPPED')
                """);
        lockPlaceOf = placeOf + " FOR UPDATE";
        idOf = tables.sql("SELECT id FROM {dead_letter} WHERE seq = ?");
        revive = tables.sql("""
                UPDATE {dead_letter} SET state = 'WAITING', attempts = 0, died_at = NULL, decided_at = NULL
                WHERE seq = ? AND state IN ('DEAD', 'SKIPPED')
                """);
        decide = tables.sql("""
                UPDATE {dead_letter} SET state = ?, decided_at = %s WHERE seq = ? AND state IN ('DEAD', 'SKIPPED')
                """.formatted(now));
        putBack = tables.sql("""
                INSERT INTO {outbox} (%s)
                SELECT seq, shard, id, destination, event_key, type, version, content_type, headers, payload,
                    occurred_at, available_at, 0, last_error, replay, inflated_size FROM {dead_letter} WHERE seq = ?
                """.formatted(EntryRows.COLUMNS));
        delete = tables.sql("DELETE FROM {dead_letter} WHERE seq = ?");
        update = tables.sql("""
                UPDATE {dead_letter} SET type = ?, version = ?, content_type = ?, headers = ?, payload = ?,
                    inflated_size = ?
                WHERE seq = ?
                """);
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, long afterSequence, int limit) {
        return reader.list(filter, afterSequence, limit);
    }

    @Override
    public long count(DeadLetterFilter filter) {
        return reader.count(filter);
    }

    @Override
    public Optional<DeadLetter> find(long sequence) {
        return reader.find(sequence);
    }

    @Override
    public List<Parked> parked(int limit) {
        return transactor.read(
                "list parked keys",
                connection ->
                        steps.all(connection, parked, rows -> ParkedKeyRows.parked(rows, steps.time(rows, 6)), limit));
    }

    @Override
    public boolean release(OrderKey key, Signature signature) {
        return transactor.change("release " + key, connection -> decideKey(connection, key, Action.RELEASE, signature));
    }

    @Override
    public boolean skip(OrderKey key, Signature signature) {
        return transactor.change(
                "skip the dead letter of " + key, connection -> decideKey(connection, key, Action.SKIP, signature));
    }

    private boolean decideKey(Connection connection, OrderKey key, Action action, Signature signature)
            throws SQLException {
        keys.lockShard(connection, key.shard());
        Optional<Parking> parking = keys.lock(connection, key).filter(Parking::isParked);
        if (parking.isEmpty() || parking.get().head().isEmpty()) {
            return false;
        }
        long head = parking.get().head().getAsLong();
        if (action == Action.SKIP) {
            steps.update(connection, decide, StoredState.of(DeadLetter.State.SKIPPED), head);
        } else {
            redriven.add(connection, head);
            steps.update(connection, revive, head);
        }
        keys.release(connection, key);
        audit.record(connection, action, key.toString(), idOf(connection, head), signature);
        return true;
    }

    private @Nullable UUID idOf(Connection connection, long sequence) throws SQLException {
        List<UUID> ids = steps.all(
                connection, idOf, rows -> EntryRows.required(steps.flavour().uuid(rows, 1)), sequence);
        return ids.isEmpty() ? null : ids.get(0);
    }

    /** What has to be locked for a decision about a dead letter. */
    private record Place(int shard, @Nullable OrderKey key, UUID id) {}

    /** Whether a locked dead letter is the head of its parked key. */
    private record Locked(Place place, boolean isHead) {}

    @Override
    public boolean redrive(long sequence, Signature signature) {
        return transactor.change("redrive dead letter " + sequence, connection -> {
            Optional<Locked> letter = lock(connection, sequence);
            if (letter.isEmpty()) {
                return false;
            }
            redriven.add(connection, sequence);
            if (letter.get().isHead) {
                steps.update(connection, revive, sequence);
                releaseBehind(connection, letter.get());
            } else {
                steps.update(connection, putBack, sequence);
                steps.update(connection, delete, sequence);
                keys.rewind(connection, letter.get().place.shard);
            }
            record(connection, Action.REDRIVE, sequence, letter.get(), signature);
            return true;
        });
    }

    @Override
    public boolean discard(long sequence, Signature signature) {
        return transactor.change("discard dead letter " + sequence, connection -> {
            Optional<Locked> letter = lock(connection, sequence);
            if (letter.isEmpty()) {
                return false;
            }
            steps.update(connection, decide, StoredState.of(DeadLetter.State.DISCARDED), sequence);
            if (letter.get().isHead) {
                releaseBehind(connection, letter.get());
            }
            record(connection, Action.DISCARD, sequence, letter.get(), signature);
            return true;
        });
    }

    @Override
    public boolean edit(long sequence, Correction correction, Signature signature) {
        return transactor.change("edit dead letter " + sequence, connection -> {
            if (lock(connection, sequence).isEmpty()) {
                return false;
            }
            Event original = steps.all(connection, entry, rows -> entryRows.read(rows, 1), sequence)
                    .get(0)
                    .event();
            Event corrected = correction.of(original);
            if (corrected.equals(original)) {
                return false;
            }
            StoredPayload payload = entryRows.stored(corrected);
            steps.update(
                    connection,
                    update,
                    corrected.type(),
                    corrected.version(),
                    corrected.contentType(),
                    HeadersJson.write(corrected.headers()),
                    payload.bytes(),
                    payload.inflatedSize(),
                    sequence);
            redriven.forget(connection, sequence);
            audit.recordEdit(connection, subject(sequence), original, signature);
            return true;
        });
    }

    /** Locks a dead letter and all that a decision about it may change; empty if there is nothing to decide. */
    private Optional<Locked> lock(Connection connection, long sequence) throws SQLException {
        Optional<Place> before = place(connection, placeOf, sequence);
        if (before.isEmpty()) {
            return Optional.empty();
        }
        OrderKey key = before.get().key;
        keys.lockShard(connection, before.get().shard);
        Optional<Parking> parking = key == null ? Optional.empty() : keys.lock(connection, key);
        // Once more, now that no other decision can come in between. Not in the same words: H2 may answer a query that
        // it
        // has just answered without looking.
        return place(connection, lockPlaceOf, sequence)
                .map(place -> new Locked(
                        place, parking.filter(one -> one.isBehind(sequence)).isPresent()));
    }

    private Optional<Place> place(Connection connection, String sql, long sequence) throws SQLException {
        return steps.first(
                connection,
                sql,
                rows -> {
                    String key = rows.getString(3);
                    return new Place(
                            rows.getInt(1),
                            key == null ? null : new OrderKey(rows.getString(2), key),
                            EntryRows.required(steps.flavour().uuid(rows, 4)));
                },
                sequence);
    }

    private void releaseBehind(Connection connection, Locked letter) throws SQLException {
        if (letter.place.key != null) {
            keys.release(connection, letter.place.key);
        }
    }

    private void record(Connection connection, Action action, long sequence, Locked letter, Signature signature)
            throws SQLException {
        audit.record(connection, action, subject(sequence), letter.place.id, signature);
    }

    private static String subject(long sequence) {
        return "dead letter " + sequence;
    }
}
