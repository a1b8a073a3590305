package dev.waybill.store.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.store.ShardSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** Names that become part of SQL, and what a channel that anybody may write to says. */
public final class StoreConfigTarget implements FuzzTarget {
    private static final JdbcStoreConfig PLAIN = JdbcStoreConfig.defaults().withTablePrefix("p");
    private static final int LONGEST_NAME = 63;

    private final List<Script> scripts = List.of("postgresql", "mariadb", "h2").stream()
            .flatMap(folder -> List.of("V001__outbox.sql", "V002__operations.sql", "V003__inbox.sql").stream()
                    .map(name -> Script.read("/dev/waybill/schema/" + folder + "/" + name)))
            .toList();

    /** A migration, and what it is made of when its names are simple. */
    private record Script(String text, List<String> plain, List<String> inSchema) {
        static Script read(String path) {
            try (InputStream in = StoreConfigTarget.class.getResourceAsStream(path)) {
                if (in == null) {
                    throw new IllegalStateException(path + " is missing");
                }
                String text = new String(in.readAllBytes(), UTF_8);
                return new Script(
                        text,
                        SqlTokens.kinds(Tables.of(PLAIN).script(text)),
                        SqlTokens.kinds(Tables.of(PLAIN.withSchema("s")).script(text)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void check(Input input) {
        checkMessage(input.text());
        JdbcStoreConfig config;
        try {
            config = PLAIN.withSchema(input.textOrNull())
                    .withTablePrefix(input.text())
                    .withStatementTimeout(input.duration())
                    .withRetention(input.duration())
                    .withDecidedRetention(input.duration())
                    .withInboxRetention(input.duration())
                    .withCompressAbove(input.integer())
                    .withMaxReplays(input.integer());
        } catch (IllegalArgumentException e) {
            Expect.refusal(e);
            return;
        }
        checkSql(config);
        checkChannel(PostgresChannel.of(config));
        Expect.that(config.statementTimeout().toMillis() >= 1, "A time-out of " + config.statementTimeout());
    }

    /** Names change what statements are about, never what they do. */
    private void checkSql(JdbcStoreConfig config) {
        Tables tables = Tables.of(config);
        for (Script script : scripts) {
            List<String> found = SqlTokens.kinds(tables.script(script.text()));
            Expect.equal(found, config.schema() == null ? script.plain() : script.inSchema(), "A migration's tokens");
        }
        List<String> statement = SqlTokens.kinds(tables.sql("DELETE FROM {outbox} WHERE seq = ?"));
        Expect.equal(
                statement,
                SqlTokens.kinds("DELETE FROM " + (config.schema() == null ? "" : "s.") + "outbox WHERE seq = ?"),
                "A statement's tokens");
    }

    private static void checkChannel(String channel) {
        Expect.that(channel.length() <= LONGEST_NAME, "A channel of " + channel.length() + " characters");
        Expect.equal(channel, channel.toLowerCase(Locale.ROOT), "A channel, as PostgreSQL folds it");
        Expect.equal(SqlTokens.kinds("LISTEN \"" + channel + "\""), SqlTokens.kinds("LISTEN \"c\""), "LISTEN's tokens");
    }

    private static void checkMessage(String message) {
        ShardSet shards = PostgresChannel.read(message);
        Expect.that(!shards.isEmpty(), "A message that wakes nobody");
        Expect.equal(PostgresChannel.read(PostgresChannel.message(shards)), shards, "A message that was sent");
    }
}
