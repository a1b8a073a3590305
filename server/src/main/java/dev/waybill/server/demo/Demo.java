package dev.waybill.server.demo;

import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.metrics.MetricsEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the demo, from an empty folder to the verdict. */
final class Demo {
    /** How long after being told to stop it may take to return. */
    static final Duration LONGEST_END = DemoScene.DRAIN.plusSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

    private final DemoConfig config;
    private final Terminal terminal;
    private final CountDownLatch stopped = new CountDownLatch(1);

    Demo(DemoConfig config, Terminal terminal) {
        this.config = config;
        this.terminal = terminal;
    }

    /** Ends the writing early; {@link #run} then drains, judges and returns. From any thread. */
    void stop() {
        stopped.countDown();
    }

    /** Runs and tells the exit code. */
    int run() {
        Path folder = createFolder();
        Path log = folder.resolve("waybill.log");
        try (LogFile logging = LogFile.open(log)) {
            LOG.info("{}, logging to {}", config, logging.path());
            return run(folder, log);
        } catch (UsageException e) {
            delete(folder, file -> true);
            throw e;
        }
    }

    private int run(Path folder, Path log) {
        try {
            DemoReport report = play(folder, log);
            VerdictText.lines(report, terminal).forEach(terminal.out()::println);
            if (config.json() != null) {
                report.write(config.json());
            }
            if (report.holds()) {
                delete(folder, file -> !file.equals(log) && !file.equals(folder));
                return 0;
            }
            terminal.out().println("  Kept to look at: " + folder);
        } catch (UsageException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("The demo failed", e);
            terminal.err().println("waybill demo: failed, see " + log + ": " + e.getMessage());
        }
        return 1;
    }

    private DemoReport play(Path folder, Path log) {
        try (Meters meters = openMeters();
                DemoDatabase database = openDatabase(folder)) {
            DemoReport report = play(folder, database, meters.registry(), log);
            if (report.holds()) {
                database.cleanUp();
            }
            return report;
        }
    }

    private DemoReport play(Path folder, DemoDatabase database, MeterRegistry registry, Path log) {
        try (DemoView view = view(database, log);
                DemoScene scene =
                        DemoScene.set(config, database, registry, ledger -> openDestination(folder, ledger))) {
            return scene.play(view, stopped);
        }
    }

    private Meters openMeters() {
        if (Objects.equals(config.metricsPort(), DemoConfig.NO_METRICS)) {
            return new Meters(new CompositeMeterRegistry(), null);
        }
        MetricsEndpoint endpoint = config.metricsPort() == null
                ? MetricsEndpoint.openAnywhere()
                : MetricsEndpoint.open("127.0.0.1", config.metricsPort());
        terminal.out().println("Metrics for Prometheus at " + endpoint.url());
        return new Meters(endpoint.registry(), endpoint);
    }

    private DemoDestination openDestination(Path folder, Ledger ledger) {
        if (!config.transport().equals(DemoConfig.KAFKA)) {
            return new InProcessDestination(ledger);
        }
        if (config.brokers() != null) {
            return KafkaDestination.connect(config.brokers(), ledger);
        }
        terminal.out().println("Starting Kafka ...");
        return KafkaDestination.start(folder, ledger);
    }

    private DemoDatabase openDatabase(Path folder) {
        return switch (config.database()) {
            case "h2" -> new H2Database(folder);
            case "postgres" -> startPostgres(folder);
            case "mariadb" -> startMaria(folder);
            default -> UserDatabase.connect(new Pools.Target(config.database(), config.user(), config.password()));
        };
    }

    private DemoDatabase startPostgres(Path folder) {
        terminal.out().println("Starting PostgreSQL ...");
        return PostgresDatabase.start(folder);
    }

    private DemoDatabase startMaria(Path folder) {
        boolean first = !Files.exists(MariaDatabase.unpacked());
        terminal.out()
                .println("Starting MariaDB ..."
                        + (first ? " (the first time it is unpacked to " + MariaDatabase.unpacked() + ")" : ""));
        return MariaDatabase.start(folder);
    }

    private DemoView view(DemoDatabase database, Path log) {
        if (!terminal.interactive()) {
            terminal.out().println("Waybill demo on " + database.description() + ", log in " + log);
            return new LineView(terminal.out());
        }
        return new PanelView(terminal.out(), new Panel(database.description(), config, log, terminal));
    }

    private static Path createFolder() {
        try {
            return Files.createTempDirectory("waybill-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException("There is no temporary folder to work in", e);
        }
    }

    private static void delete(Path folder, Predicate<Path> which) {
        try (Stream<Path> files = Files.walk(folder)) {
            // What is in a folder comes before the folder.
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (which.test(file)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            LOG.warn("{} could not be deleted", folder, e);
        }
    }

    /** Where the relays count, and what serves it. */
    private record Meters(MeterRegistry registry, @Nullable MetricsEndpoint endpoint) implements AutoCloseable {
        @Override
        public void close() {
            if (endpoint != null) {
                endpoint.close();
            }
        }
    }
}
