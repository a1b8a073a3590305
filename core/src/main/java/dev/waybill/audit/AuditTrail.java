package dev.waybill.audit;

import java.util.List;

/** The record of all decisions. Thread-safe; nothing here changes or removes one. */
public interface AuditTrail {

    /**
     * Records by number, the newest first.
     *
     * @param before only records with a lower number; {@link Long#MAX_VALUE}: from the newest
     */
    List<AuditRecord> records(long before, int limit);
}
