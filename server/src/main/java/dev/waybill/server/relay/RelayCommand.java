package dev.waybill.server.relay;

import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.metrics.MetricsEndpoint;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
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
    private static final int MAX_PORT = 65_535;

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
                    "How to deliver to a destination; repeat it for more. kafka: to the topic of the same name; log: a"
                            + " line for each event, with its id, type and key.")
    List<String> routes = new ArrayList<>();

    @Option(
            names = "--brokers",
            paramLabel = "<host:port,...>",
            description = "Kafka's bootstrap servers, for routes to kafka.")
    @Nullable
    String brokers;

    @Option(
            names = "--outbox",
            paramLabel = "<name>",
            description =
                    "Deliver to Kafka exactly once, under this name: the same for all relays of the outbox, and no"
                            + " other outbox's (default: at least once).")
    @Nullable
    String outbox;

    @Option(
            names = "--rate",
            paramLabel = "<destination>=<n>",
            description = "Most deliveries to a destination in a second, of all relays together; repeat it for more"
                    + " (default: no limit).")
    List<String> rates = new ArrayList<>();

    @Option(
            names = "--retention",
            paramLabel = "<time>",
            description = "How long deliveries are kept in the history, for replays; 0s: not at all (default 24h).")
    Duration retention = JdbcStoreConfig.defaults().retention();

    @Option(
            names = "--metrics-port",
            paramLabel = "<n>",
            description = "Serve meters for Prometheus at /metrics on this port, 0: any (default: no meters).")
    @Nullable
    Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "<address>",
            description = "The address to serve them on (default 127.0.0.1; 0.0.0.0: all).")
    String metricsHost = "127.0.0.1";

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
        if (metricsPort != null && (metricsPort < 0 || metricsPort > MAX_PORT)) {
            throw new UsageException("--metrics-port is " + metricsPort + "; it must be from 0 (any) to " + MAX_PORT);
        }
        RouteOptions options = RouteOptions.parse(routes, rates, brokers, outbox);
        Pools.requireReachable(target);
        try (RouteTransports transports = options.open(terminal.out());
                MetricsEndpoint metrics = openMetrics();
                RelayProcess relay =
                        RelayProcess.open(target, storeConfig, config, transports.routes(), registry(metrics))) {
            return Interruption.guard(relay::run, relay::stop, RelayProcess.PATIENCE.plusSeconds(5));
        }
    }

    private @Nullable MetricsEndpoint openMetrics() {
        if (metricsPort == null) {
            return null;
        }
        MetricsEndpoint endpoint = MetricsEndpoint.open(metricsHost, metricsPort);
        terminal.err().println("Metrics for Prometheus at " + endpoint.url());
        return endpoint;
    }

    private static MeterRegistry registry(@Nullable MetricsEndpoint metrics) {
        return metrics == null ? new CompositeMeterRegistry() : metrics.registry();
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
            return defaults.withSchema(schema)
                    .withTablePrefix(prefix)
                    .withStatementTimeout(timeout)
                    .withRetention(retention);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
