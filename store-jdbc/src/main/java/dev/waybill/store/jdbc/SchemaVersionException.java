package dev.waybill.store.jdbc;

import dev.waybill.store.StoreException;

/** The database holds tables of a newer Waybill than this one: using them could lose what only the newer one knows. */
public class SchemaVersionException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final int found;
    private final int known;

    SchemaVersionException(String table, int found, int known) {
        super(
                "The tables have version " + found + " (see " + table + "), but this Waybill knows versions up to "
                        + known
                        + " only. Upgrade Waybill in this application to the version that migrated the database, or to"
                        + " a later one.",
                null);
        this.found = found;
        this.known = known;
    }

    /** The version of the tables. */
    public int found() {
        return found;
    }

    /** The highest version that this code knows. */
    public int known() {
        return known;
    }
}
