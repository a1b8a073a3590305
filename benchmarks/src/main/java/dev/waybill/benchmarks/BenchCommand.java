package dev.waybill.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.report.Charts;
import dev.waybill.benchmarks.report.JsonReport;
import dev.waybill.benchmarks.report.MarkdownReport;
import dev.waybill.benchmarks.report.Report;
import dev.waybill.benchmarks.scenario.BenchRun;
import dev.waybill.benchmarks.scenario.Scenarios;
import dev.waybill.benchmarks.scenario.Sizes;
import dev.waybill.benchmarks.scenario.StoppedException;
import dev.waybill.benchmarks.worker.WorkerException;
import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill bench}: Waybill beside the raw limit and its peers, and whether it is as fast as it has to be. */
@Command(
        name = "bench",
        header = "Measure Waybill beside raw JDBC and its peers, on one PostgreSQL, in one run.",
        description = {
            "",
            "Each contender runs in a JVM of its own, in turn with the others, round by round, and the ratios of the rounds"
                    + " are what counts. PostgreSQL is private to the run and keeps what it acknowledges (fsync is on). What"
                    + " Waybill delivers is checked in every scenario: nothing lost, nothing out of order.",
            ""
        },
        footer = {"", "Exit code: 0 every check holds; 1 one does not, or a contender failed; 2 wrong usage."},
        abbreviateSynopsis = true,
        sortOptions = false)
public final class BenchCommand implements Callable<Integer> {
    /** Where the launcher tells the peers' class path. */
    static final String PEERS = "waybill.peers.classpath";

    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final Terminal terminal;

    @Parameters(
            arity = "0..*",
            paramLabel = "<scenario>",
            description = "What to measure, of: ${COMPLETION-CANDIDATES}; all but micro if none is named.",
            completionCandidates = ScenarioNames.class)
    List<String> scenarios = new ArrayList<>();

    @Option(names = "--quick", description = "Smaller backlogs and shorter rounds: under 5 minutes.")
    boolean quick;

    @Option(names = "--full", description = "A history of 20 million rows in growth.")
    boolean full;

    @Option(
            names = "--peers",
            description = "Measure gruelbox, db-scheduler, Spring Modulith, Namastack and Debezium, too.")
    boolean peers;

    @Option(names = "--json", paramLabel = "<file>", description = "Write figures and checks to a file.")
    @Nullable
    String json;

    @Option(names = "--markdown", paramLabel = "<file>", description = "Write the tables to a file, too.")
    @Nullable
    Path markdown;

    @Option(names = "--svg", paramLabel = "<folder>", description = "Draw bar charts into a folder, such as docs.")
    @Nullable
    Path svg;

    BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<String> chosen = chosen();
        Sizes sizes = sizes();
        if (json != null) {
            new JsonTarget(json).requireWritable();
        }
        requireFolders();
        BenchRun run = new BenchRun(chosen, sizes, peersClassPath(), terminal);
        return Interruption.guard(() -> run(run), run::stop, LONGEST_END);
    }

    private int run(BenchRun run) {
        try {
            Report report = run.run();
            write(report);
            return report.holds() ? 0 : 1;
        } catch (WorkerException e) {
            terminal.err().println("waybill bench: " + e.getMessage());
            return 1;
        } catch (StoppedException e) {
            terminal.err().println("waybill bench: stopped before the end, so there is no result");
            return 1;
        }
    }

    private List<String> chosen() {
        List<String> known = Scenarios.names();
        for (String name : scenarios) {
            if (!known.contains(name)) {
                throw new UsageException("there is no scenario '" + name + "'; there are " + String.join(", ", known));
            }
        }
        return scenarios.isEmpty()
                ? Scenarios.usual()
                : scenarios.stream().distinct().toList();
    }

    private Sizes sizes() {
        if (quick && full) {
            throw new UsageException("give either --quick or --full");
        }
        Sizes sizes = quick ? Sizes.quick() : Sizes.normal();
        return full ? sizes.withLongHistory() : sizes;
    }

    /** Before the run, rather than after it. */
    private void requireFolders() {
        Path folder = markdown == null ? null : markdown.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new UsageException("cannot write --markdown " + markdown + ": there is no folder " + folder);
        }
        if (svg != null && !Files.isDirectory(svg)) {
            throw new UsageException("cannot write --svg: there is no folder " + svg);
        }
    }

    private @Nullable String peersClassPath() {
        if (!peers) {
            return null;
        }
        String classPath = System.getProperty(PEERS);
        if (classPath == null) {
            throw new UsageException("--peers needs the peers' class path: run ./waybill bench --peers in the sources");
        }
        return classPath;
    }

    private void write(Report report) {
        List<String> lines = MarkdownReport.lines(report);
        JsonTarget target = json == null ? null : new JsonTarget(json);
        if (target == null || !target.isStandardOutput()) {
            lines.forEach(terminal.out()::println);
            terminal.out().flush();
        }
        try {
            if (markdown != null) {
                Files.write(markdown, lines, UTF_8);
            }
            if (svg != null) {
                for (Map.Entry<String, String> chart :
                        Charts.of(report, OwnProvider.WAYBILL).entrySet()) {
                    Files.writeString(svg.resolve(chart.getKey()), chart.getValue(), UTF_8);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (target != null) {
            target.write(terminal.out(), JsonReport.of(report));
        }
    }

    /** For the help. */
    static final class ScenarioNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        ScenarioNames() {
            super(Scenarios.names());
        }
    }
}
