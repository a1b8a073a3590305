package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.report.Report;
import dev.waybill.benchmarks.worker.Workers;
import dev.waybill.server.cli.LogFile;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.Workspace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of some scenarios, on a PostgreSQL of its own. */
public final class BenchRun {
    private static final Logger LOG = LoggerFactory.getLogger(BenchRun.class);

    private final List<String> scenarios;
    private final Sizes sizes;
    private final @Nullable String peersClassPath;
    private final Terminal terminal;
    private volatile boolean stopped;

    /**
     * Prepares a run.
     *
     * @param peersClassPath where the peers are; {@code null}: they take no part
     */
    public BenchRun(List<String> scenarios, Sizes sizes, @Nullable String peersClassPath, Terminal terminal) {
        this.scenarios = List.copyOf(scenarios);
        this.sizes = sizes;
        this.peersClassPath = peersClassPath;
        this.terminal = terminal;
    }

    /** Ends the run at its next step. From any thread. */
    public void stop() {
        stopped = true;
    }

    public Report run() {
        Progress progress = new Progress(terminal, () -> stopped);
        progress.scenario("bench", "starting PostgreSQL");
        Workspace workspace = Workspace.create("waybill-bench");
        try (LogFile log = LogFile.open(workspace.log());
                Server server = Server.start(workspace.folder(), peersClassPath == null ? "replica" : "logical");
                Workers workers = new Workers(workspace.folder())) {
            LOG.info("Measuring {}; the log is {}", scenarios, log.path());
            return measure(workspace, server, workers, progress);
        } finally {
            workspace.delete();
        }
    }

    private Report measure(Workspace workspace, Server server, Workers workers, Progress progress) {
        Report report = new Report();
        Environment.describe(report, server);
        List<String> peers = peersClassPath == null ? List.of() : Peers.names(workers, peersClassPath);
        Bench bench = new Bench(server, workers, report, progress, sizes, workspace.folder(), peers, peersClassPath);
        for (String name : scenarios) {
            progress.scenario(name, "begins");
            try {
                Scenarios.named(name).run(bench);
            } catch (StoppedException e) {
                throw e;
            } catch (RuntimeException e) {
                // Also when the server was ended together with this process: then the next step ends the run.
                progress.step("failed: " + e.getMessage());
                LOG.error("{} failed", name, e);
                report.failure(
                        name, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            } finally {
                workers.close();
            }
            server.dropDatabases();
        }
        progress.end();
        return report;
    }
}
