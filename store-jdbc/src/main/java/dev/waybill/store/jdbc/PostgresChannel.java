package dev.waybill.store.jdbc;

import java.util.Locale;

/** The name under which the processes of one store wake each other. */
final class PostgresChannel {
    private static final int LONGEST = 63;

    private PostgresChannel() {}

    /** The outbox table's name, as PostgreSQL folds it; a hash in place of the end if it is too long for a channel. */
    static String of(JdbcStoreConfig config) {
        Tables tables = Tables.of(config);
        String name = tables.name("outbox").toLowerCase(Locale.ROOT);
        if (name.length() <= LONGEST) {
            return name;
        }
        String hash = String.format("_%016x", tables.lockId("channel"));
        return name.substring(0, LONGEST - hash.length()) + hash;
    }
}
