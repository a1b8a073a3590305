package dev.waybill.examples.shop.demo;

import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill demo}: a shop of four services in one JVM, and the verdict whether all that was ordered took effect. */
@Command(
        name = "demo",
        header = "Run a shop whose services tell each other what happened, with faults if you like.",
        description = {
            "",
            "Four Spring Boot services, each with a schema of its own: orders, inventory, payments and notifications. Each"
                    + " writes its data and its events in one transaction, and every tenth order is rolled back on purpose."
                    + " The run ends with a verdict, from what the services' databases hold.",
            ""
        },
        footer = {
            "",
            "Exit code: 0 all that was committed took effect once, in order, and nothing else; 1 not so; 2 wrong usage."
        },
        abbreviateSynopsis = true,
        sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--database",
            paramLabel = "<db>",
            defaultValue = "h2",
            description =
                    "h2 (default): a file in a temporary folder; postgres: an embedded PostgreSQL 18; mariadb: an"
                            + " embedded MariaDB 11.4; or a JDBC URL of your own, where it makes and drops schemas named waybill_demo_... and touches no other.")
    String database = "h2";

    @Option(names = "--user", paramLabel = "<name>", description = "User for a JDBC URL.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            paramLabel = "<text>",
            defaultValue = "${env:WAYBILL_PASSWORD}",
            description = "Password for a JDBC URL; better in the environment as WAYBILL_PASSWORD.")
    @Nullable
    String password;

    @Option(
            names = "--transport",
            paramLabel = "<name>",
            description =
                    "in-process (default): from service to service within this JVM; kafka: through topics of a Kafka broker"
                            + " in this JVM.")
    @Nullable
    String transport;

    @Option(names = "--kafka", description = "Short for --transport kafka.")
    boolean kafka;

    @Option(
            names = "--brokers",
            paramLabel = "<host:port>",
            description = "Brokers of your own for kafka, where it makes and deletes topics named waybill-demo-... and"
                    + " touches no other.")
    @Nullable
    String brokers;

    @Option(names = "--rate", paramLabel = "<n>", description = "Orders committed per second (default 100).")
    int rate = 100;

    @Option(
            names = "--relays",
            paramLabel = "<n>",
            description = "Relays that share the work of each service (default 1).")
    int relays = 1;

    @Option(names = "--keys", paramLabel = "<n>", description = "Customers, whose orders stay in order (default 1000).")
    int keys = 1000;

    @Option(names = "--chaos", description = "Kill relays and take services or the broker down, every few seconds.")
    boolean chaos;

    @Option(
            names = "--faults",
            description =
                    "Let payments fail: business errors, flaky and slow orders, outages. At the end all is mended and"
                            + " replayed, and every order must have taken effect once, in order.")
    boolean faults;

    @Option(
            names = "--for",
            paramLabel = "<time>",
            description = "How long to write, such as 30s or 2m (default: until Ctrl-C).")
    @Nullable
    Duration duration;

    @Option(
            names = "--retention",
            paramLabel = "<time>",
            description = "How long deliveries are kept in the history; 0s: not at all (default 24h).")
    Duration retention = JdbcStoreConfig.defaults().retention();

    @Option(
            names = "--metrics-port",
            paramLabel = "<n>",
            description =
                    "Port of the loopback interface where Prometheus finds the meters, at /metrics (default 9464, or"
                            + " any other if that is taken).")
    @Nullable
    Integer metricsPort;

    @Option(names = "--no-metrics", description = "Serve no meters.")
    boolean noMetrics;

    @Option(names = "--json", paramLabel = "<file>", description = "Write the numbers of the run to a file.")
    @Nullable
    Path json;

    public DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        DemoConfig config = config();
        if (json != null) {
            new JsonTarget(json.toString()).requireWritable();
        }
        Demo demo = new Demo(config, terminal);
        return Interruption.guard(demo::run, demo::stop, Demo.LONGEST_END);
    }

    private DemoConfig config() {
        if (noMetrics && metricsPort != null) {
            throw new UsageException("give either --metrics-port or --no-metrics");
        }
        if (metricsPort != null && metricsPort < 0) {
            throw new UsageException("--metrics-port is " + metricsPort + "; it must be from 0 (any) to 65535");
        }
        try {
            return new DemoConfig(
                    database,
                    user,
                    password,
                    transport(),
                    brokers,
                    rate,
                    relays,
                    keys,
                    chaos,
                    faults,
                    duration,
                    retention,
                    noMetrics ? Integer.valueOf(DemoConfig.NO_METRICS) : metricsPort,
                    json);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private String transport() {
        if (kafka && transport != null && !transport.equals(DemoConfig.KAFKA)) {
            throw new UsageException("give either --kafka or --transport " + transport);
        }
        String usual = kafka ? DemoConfig.KAFKA : DemoConfig.IN_PROCESS;
        return transport == null ? usual : transport;
    }
}
