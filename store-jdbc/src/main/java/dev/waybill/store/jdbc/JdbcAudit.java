package dev.waybill.store.jdbc;

import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.AuditTrail;
import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The record of decisions, in a table that is only ever inserted into. Thread-safe. */
final class JdbcAudit implements AuditTrail {
    private static final Logger log = LoggerFactory.getLogger(JdbcAudit.class);
    // Where the columns of the original begin: its id is the one of the record.
    private static final int ORIGINAL = 7;
    private static final int ORIGINAL_TYPE = 10;

    private final Transactor transactor;
    private final SqlSteps steps;
    private final EntryRows entryRows;
    private final String insert;
    private final String insertEdit;
    private final String read;

    JdbcAudit(Tables tables, Transactor transactor, SqlSteps steps, EntryRows entryRows) {
        this.transactor = transactor;
        this.steps = steps;
        this.entryRows = entryRows;
        insert = tables.sql("""
                INSERT INTO {audit} (decided_at, action, subject, event_id, who, why) VALUES (%s, ?, ?, ?, ?, ?)
                """.formatted(steps.flavour().now()));
        insertEdit = tables.sql("""
                INSERT INTO {audit} (decided_at, action, subject, event_id, who, why, destination, event_key, type,
                    version, content_type, headers, payload, inflated_size, occurred_at, available_at)
                VALUES (%s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """.formatted(steps.flavour().now()));
        read = tables.sql("""
                SELECT seq, decided_at, action, subject, who, why, event_id, destination, event_key, type, version,
                    content_type, headers, payload, occurred_at, available_at, 0, NULL, 0, inflated_size
                FROM {audit} WHERE seq < ? ORDER BY seq DESC LIMIT ?
                """);
    }

    /** Records a decision in the transaction that carries it out. */
    void record(
            Connection transaction,
            AuditRecord.Action action,
            String subject,
            @Nullable UUID eventId,
            Signature signature)
            throws SQLException {
        steps.update(
                transaction,
                insert,
                action,
                subject,
                eventId,
                StoredText.storable(signature.who()),
                StoredText.storable(signature.why()));
    }

    /** Records that an event was edited, and what it was before. */
    void recordEdit(Connection transaction, String subject, Event original, Signature signature) throws SQLException {
        StoredPayload payload = entryRows.stored(original);
        steps.update(
                transaction,
                insertEdit,
                AuditRecord.Action.EDIT,
                subject,
                original.id(),
                StoredText.storable(signature.who()),
                StoredText.storable(signature.why()),
                original.destination(),
                original.key(),
                original.type(),
                original.version(),
                original.contentType(),
                HeadersJson.write(original.headers()),
                payload.bytes(),
                payload.inflatedSize(),
                original.occurredAt(),
                original.availableAt());
    }

    @Override
    public List<AuditRecord> records(long before, int limit) {
        return transactor.read(
                "read the audit trail", connection -> steps.all(connection, read, this::record, before, limit));
    }

    private AuditRecord record(ResultSet rows) throws SQLException {
        return new AuditRecord(
                rows.getLong(1),
                steps.time(rows, 2),
                AuditRecord.Action.valueOf(rows.getString(3)),
                rows.getString(4),
                steps.flavour().uuid(rows, ORIGINAL),
                Signature.of(rows.getString(5), rows.getString(6)),
                original(rows));
    }

    private @Nullable Event original(ResultSet rows) throws SQLException {
        if (rows.getString(ORIGINAL_TYPE) == null) {
            return null;
        }
        try {
            return entryRows.event(rows, ORIGINAL);
        } catch (InvalidEventException | IOException e) {
            log.warn("The original of audit record {} cannot be read: {}", rows.getLong(1), e.getMessage());
            return null;
        }
    }
}
