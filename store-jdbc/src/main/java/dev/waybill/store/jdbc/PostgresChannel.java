package dev.waybill.store.jdbc;

import dev.waybill.store.ShardSet;
import java.util.Locale;

/** How the processes of one store wake each other: the channel, and what a notification on it says. */
final class PostgresChannel {
    private static final int LONGEST = 63;
    private static final int HEX = 16;

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

    static String message(ShardSet shards) {
        return Long.toHexString(shards.bits());
    }

    /** Anybody may write to a channel: what is no message of ours is taken for a wake-up without a hint. */
    static ShardSet read(String message) {
        try {
            ShardSet shards = new ShardSet(Long.parseUnsignedLong(message, HEX));
            return shards.isEmpty() ? ShardSet.ALL : shards;
        } catch (NumberFormatException e) {
            return ShardSet.ALL;
        }
    }
}
