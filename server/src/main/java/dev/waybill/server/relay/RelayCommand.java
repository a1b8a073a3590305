package dev.waybill.server.relay;

import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill relay}: delivers from a database until told to end. */
@Command(
        name = "relay",
        header = "Deliver what applications commit to the outbox of a database.",
        description = {
            "",
            "Start as many as you like: they share the work. SIGTERM or Ctrl-C ends it after settling what is on its way.",
            ""
        },
        footer = {"", "Deliveries of the transport log go to standard output, everything else to standard error."},
        abbreviateSynopsis = true,
        sortOptions = false)
public final class RelayCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--database", paramLabel = "<url>", required = true, description = "JDBC URL of the database.")
    String database = "";

    @Option(names = "--user", paramLabel = "<name>", description = "User to connect as.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            paramLabel = "<text>",
            defaultValue = "${env:WAYBILL_PASSWORD}",
            description = "Password; better in the environment as WAYBILL_PASSWORD.")
    @Nullable
    String password;

    @Option(
            names = "--schema",
            paramLabel = "<name>",
            description = "Schema of the tables (default: the connection's).")
    @Nullable
    String schema;

    @Option(
            names = "--prefix",
            paramLabel = "<text>",
            description = "What the tables' names begin with (default waybill_).")
    String prefix = "waybill_";

    @Option(
            names = "--route",
            paramLabel = "<destination>=<transport>",
            required = true,
            description =
                    "How to deliver to a destination; repeat it for more. The only transport so far is log: a line for"
                            + " each event, with its id, type and key.")
    List<String> routes = new ArrayList<>();

    @Option(
            names = "--lease",
            paramLabel = "<time>",
            description = "How long the shards of a crashed relay wait (default 10s).")
    Duration lease = RelayConfig.defaults().lease();

    @Option(names = "--poll", paramLabel = "<time>", description = "Longest time between two looks (default 1s).")
    Duration poll = RelayConfig.defaults().pollInterval();

    public RelayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Pools.Target target = new Pools.Target(database, user, password);
        RelayConfig config = config();
        JdbcStoreConfig storeConfig = storeConfig();
        List<String> destinations =
                routes.stream().map(RelayCommand::destination).toList();
        Pools.requireReachable(target);
        try (RelayProcess relay = RelayProcess.open(target, storeConfig, config, destinations, terminal.out())) {
            return Interruption.guard(relay::run, relay::stop, RelayProcess.PATIENCE.plusSeconds(5));
        }
    }

    private RelayConfig config() {
        try {
            return RelayConfig.defaults().withLease(lease).withPollInterval(poll);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A statement that hangs must end before the lease does, or nobody could take the shards over. */
    private JdbcStoreConfig storeConfig() {
        try {
            JdbcStoreConfig defaults = JdbcStoreConfig.defaults();
            Duration halfLease = lease.dividedBy(2);
            Duration timeout =
                    halfLease.compareTo(defaults.statementTimeout()) < 0 ? halfLease : defaults.statementTimeout();
            return defaults.withSchema(schema).withTablePrefix(prefix).withStatementTimeout(timeout);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String destination(String route) {
        int end = route.indexOf('=');
        if (end < 1) {
            throw new UsageException("--route " + route + " is not of the form <destination>=<transport>");
        }
        if (!route.substring(end + 1).equals("log")) {
            throw new UsageException("--route " + route + " names an unknown transport; the only one so far is log");
        }
        return route.substring(0, end);
    }
}
