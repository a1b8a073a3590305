package dev.waybill.examples.shop.demo;

import dev.waybill.server.cli.LogFile;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.cli.Workspace;
import dev.waybill.server.database.ScratchDatabase;
import dev.waybill.server.metrics.MetricsEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
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
        Workspace workspace = Workspace.create("waybill-demo-");
        try (LogFile logging = LogFile.open(workspace.log())) {
            LOG.info("{}, logging to {}", config, logging.path());
            return run(workspace);
        } catch (UsageException e) {
            workspace.delete();
            throw e;
        }
    }

    private int run(Workspace workspace) {
        try {
            DemoReport report = play(workspace);
            VerdictText.lines(report, terminal).forEach(terminal.out()::println);
            if (config.json() != null) {
                report.write(config.json());
            }
            if (report.holds()) {
                workspace.clear();
                return 0;
            }
            terminal.out().println("  Kept to look at: " + workspace.folder());
        } catch (UsageException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("The demo failed", e);
            terminal.err().println("waybill demo: failed, see " + workspace.log() + ": " + e.getMessage());
        }
        return 1;
    }

    private DemoReport play(Workspace workspace) {
        try (Meters meters = openMeters();
                ScratchDatabase database =
                        config.databaseChoice().open(workspace.folder(), DemoConfig.TABLE_PREFIX, terminal)) {
            DemoReport report = play(workspace, database, meters.registry());
            if (report.holds()) {
                database.cleanUp();
            }
            return report;
        }
    }

    private DemoReport play(Workspace workspace, ScratchDatabase database, MeterRegistry registry) {
        try (DemoView view = view(database, workspace.log());
                Carrier carrier = openCarrier(workspace.folder());
                DemoScene scene = openShop(database, carrier, registry)) {
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

    private Carrier openCarrier(Path folder) {
        if (!config.transport().equals(DemoConfig.KAFKA)) {
            return new Courier();
        }
        if (config.brokers() != null) {
            return Broker.connect(config.brokers());
        }
        terminal.out().println("Starting Kafka ...");
        return Broker.start(folder);
    }

    private DemoScene openShop(ScratchDatabase database, Carrier carrier, MeterRegistry registry) {
        terminal.out().println("Starting orders, inventory, payments and notifications ...");
        long start = System.nanoTime();
        DemoScene scene = new DemoScene(config, database, carrier, registry);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        terminal.out().println("The shop is open after " + Format.seconds(took));
        return scene;
    }

    private DemoView view(ScratchDatabase database, Path log) {
        if (!terminal.interactive()) {
            terminal.out().println("Waybill demo on " + database.description() + ", log in " + log);
            return new LineView(terminal.out(), config.chaos() ? "chaos" : "fault");
        }
        return new PanelView(terminal.out(), new Panel(database.description(), config, log, terminal));
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
