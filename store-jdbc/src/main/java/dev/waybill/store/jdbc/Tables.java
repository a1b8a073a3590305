package dev.waybill.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Puts the configured names into SQL. They are validated by {@link JdbcStoreConfig}, so nothing can be injected. */
record Tables(String schemaDot, String prefix) {
    private static final Pattern TABLE = Pattern.compile("\\{(\\w+)}");

    static Tables of(JdbcStoreConfig config) {
        return new Tables(config.schema() == null ? "" : config.schema() + ".", config.tablePrefix());
    }

    /** The qualified name of a table. */
    String name(String table) {
        return schemaDot + prefix + table;
    }

    /** A statement in which <code>{outbox}</code> stands for that table's qualified name. */
    String sql(String text) {
        return TABLE.matcher(text).replaceAll((MatchResult match) -> name(match.group(1)));
    }

    /** A migration script, with the placeholders that Flyway uses too. */
    String script(String text) {
        return text.replace("${schema.}", schemaDot).replace("${prefix}", prefix);
    }

    /** 64 bits of a hash that differs between stores of one database, for locks that are named by a number. */
    long lockId(String text) {
        byte[] hash = sha256().digest((name("") + "\n" + text).getBytes(StandardCharsets.UTF_8));
        return java.nio.ByteBuffer.wrap(hash).getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
