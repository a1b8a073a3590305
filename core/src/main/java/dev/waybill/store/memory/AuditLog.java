package dev.waybill.store.memory;

import dev.waybill.audit.AuditRecord;
import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All decisions, by number from 1; guarded by the store's lock. */
final class AuditLog {
    private final List<AuditRecord> records = new ArrayList<>();

    void add(Instant at, AuditRecord.Action action, String subject, @Nullable UUID eventId, Signature signature) {
        add(at, action, subject, eventId, signature, null);
    }

    void add(
            Instant at,
            AuditRecord.Action action,
            String subject,
            @Nullable UUID eventId,
            Signature signature,
            @Nullable Event original) {
        records.add(new AuditRecord(records.size() + 1L, at, action, subject, eventId, signature, original));
    }

    List<AuditRecord> newest(long before, int limit) {
        List<AuditRecord> found = new ArrayList<>();
        for (long number = Math.min(Math.max(before, 1), records.size() + 1L) - 1;
                number > 0 && found.size() < limit;
                number--) {
            found.add(records.get((int) number - 1));
        }
        return found;
    }
}
