package dev.waybill.server.ops;

import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which outbox is meant. What is not given is taken from the environment. */
final class DatabaseOptions {
    private static final String DEFAULT_PREFIX = "waybill_";

    @Option(
            names = "--database",
            order = 100,
            paramLabel = "<url>",
            description = "JDBC URL of the database, or WAYBILL_DATABASE in the environment.")
    @Nullable
    String database;

    @Option(names = "--user", order = 101, paramLabel = "<name>", description = "User to connect as, or WAYBILL_USER.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            order = 102,
            paramLabel = "<text>",
            description = "Password; better in the environment as WAYBILL_PASSWORD.")
    @Nullable
    String password;

    @Option(
            names = "--schema",
            order = 103,
            paramLabel = "<name>",
            description = "Schema of the tables, or WAYBILL_SCHEMA (default: the connection's).")
    @Nullable
    String schema;

    @Option(
            names = "--prefix",
            order = 104,
            paramLabel = "<text>",
            description =
                    "What the tables' names begin with, or WAYBILL_PREFIX (default waybill_); a consumer's own, such"
                            + " as waybill_inbox_, show what it could not handle.")
    @Nullable
    String prefix;

    @Option(
            names = "--json",
            order = 105,
            paramLabel = "<file>",
            description = "Write the answer as JSON to a file; - is standard output, instead of the text.")
    @Nullable
    String json;

    private final UnaryOperator<@Nullable String> environment;

    DatabaseOptions() {
        this(System::getenv);
    }

    DatabaseOptions(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    Pools.Target target() {
        String url = given(database, "WAYBILL_DATABASE");
        if (url == null) {
            throw new UsageException("which database? Give --database <url>, or set WAYBILL_DATABASE once");
        }
        return new Pools.Target(existing(url), given(user, "WAYBILL_USER"), given(password, "WAYBILL_PASSWORD"));
    }

    JdbcStoreConfig store() {
        String tables = given(prefix, "WAYBILL_PREFIX");
        try {
            return JdbcStoreConfig.defaults()
                    .withSchema(given(schema, "WAYBILL_SCHEMA"))
                    .withTablePrefix(tables == null ? DEFAULT_PREFIX : tables);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    @Nullable
    JsonTarget json() {
        return json == null ? null : new JsonTarget(json);
    }

    private @Nullable String given(@Nullable String option, String variable) {
        if (option != null) {
            return option;
        }
        String value = environment.apply(variable);
        return value == null || value.isEmpty() ? null : value;
    }

    /** H2 would answer a misspelt file name with a new, empty database. */
    private static String existing(String url) {
        boolean open = !url.startsWith("jdbc:h2:")
                || url.toUpperCase(java.util.Locale.ROOT).contains(";IFEXISTS=");
        return open ? url : url + ";IFEXISTS=TRUE";
    }
}
