package dev.waybill.fuzz;

import dev.waybill.OneLine;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.cli.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill fuzz}: looks for inputs that something does not deal with. */
@Command(
        name = "fuzz",
        header = "Give everything that reads from outside all that could come, and look what breaks.",
        description = {
            "",
            "Jazzer makes inputs of those that are known and of what they reach in our code. What a target must do with"
                    + " every input is in its class: refuse it as documented, or keep what it promises.",
            ""
        },
        footer = {
            "",
            "An input that breaks something is shown as a line for fuzz/src/main/resources/dev/waybill/fuzz/corpus/"
                    + "<target>.txt, where every build tries it again.",
            "Exit code: 0 nothing broke; 1 something did; 2 wrong usage."
        },
        abbreviateSynopsis = true,
        sortOptions = false)
final class FuzzCommand implements Callable<Integer> {
    private static final Duration LONGEST_END = Duration.ofSeconds(10);
    private static final double MOST_MINUTES = 7 * 24 * 60;
    private static final int SECONDS = 60;

    private final Terminal terminal;

    @Parameters(
            arity = "0..*",
            paramLabel = "<target>",
            description = "What to fuzz, of: ${COMPLETION-CANDIDATES}; all if none is named.",
            completionCandidates = TargetNames.class)
    List<String> targets = new ArrayList<>();

    @Option(names = "--minutes", paramLabel = "<n>", description = "The time of all targets together (default 1).")
    double minutes = 1;

    @Option(names = "--seed", paramLabel = "<n>", description = "Begin like an earlier run (default: any).")
    @Nullable
    Integer seed;

    @Option(
            names = "--corpus",
            paramLabel = "<folder>",
            description = "Keep inputs that reach new code there, and go on from those of earlier runs.")
    @Nullable
    Path corpus;

    @Option(
            names = "--input",
            paramLabel = "<line>",
            description = "Give only this input, a line as in the corpus, to the one target that is named.")
    @Nullable
    String input;

    @Option(names = "--json", paramLabel = "<file>", description = "Write figures and findings to a file.")
    @Nullable
    String json;

    FuzzCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** For the help. */
    static final class TargetNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Targets.names().iterator();
        }
    }

    @Override
    public Integer call() {
        List<String> chosen = chosen();
        if (input != null) {
            return giveOne(chosen, input);
        }
        // Written so that NaN is refused.
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            throw new UsageException("--minutes is " + minutes + "; it must be above 0 and at most " + MOST_MINUTES);
        }
        if (json != null) {
            new JsonTarget(json).requireWritable();
        }
        return fuzz(chosen, Duration.ofSeconds(Math.round(minutes * SECONDS)));
    }

    private List<String> chosen() {
        for (String name : targets) {
            if (!Targets.names().contains(name)) {
                throw new UsageException(
                        "there is no target " + name + "; there are " + String.join(", ", Targets.names()));
            }
        }
        return targets.isEmpty() ? Targets.names() : targets.stream().distinct().toList();
    }

    private int giveOne(List<String> chosen, String line) {
        if (chosen.size() != 1) {
            throw new UsageException("--input needs the one target that it is for");
        }
        byte[] data;
        try {
            data = Corpus.read(line);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UsageException("--input is not a line of a corpus: " + e.getMessage(), e);
        }
        try {
            new Harness(chosen.get(0)).run(data);
            terminal.out().println(chosen.get(0) + " deals with it.");
            return 0;
        } catch (RuntimeException | Error e) {
            e.printStackTrace(terminal.out());
            return 1;
        }
    }

    private int fuzz(List<String> chosen, Duration total) {
        int first = seed == null ? ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE / 2) : seed;
        Workspace workspace = Workspace.create("waybill-fuzz");
        Path kept = corpus == null
                ? workspace.folder().resolve("corpus")
                : corpus.toAbsolutePath().normalize();
        try {
            terminal.out().println(chosen.size() + " targets, " + total.toSeconds() + " s of fuzzing, seed " + first);
            Campaign campaign = new Campaign(chosen, first, workspace.folder().resolve("runs"), kept);
            return Interruption.guard(() -> run(campaign, total, first), campaign::stop, LONGEST_END);
        } finally {
            workspace.delete();
        }
    }

    private int run(Campaign campaign, Duration total, int first) {
        try {
            List<Report> reports = campaign.run(total, this::show);
            List<Finding> findings = reports.stream()
                    .flatMap(report -> report.findings().stream())
                    .toList();
            long inputs = reports.stream().mapToLong(Report::total).sum();
            terminal.out().println(String.format(Locale.ROOT, "%,d inputs, %d findings", inputs, findings.size()));
            if (json != null) {
                new JsonTarget(json).write(terminal.out(), figures(reports, first));
            }
            return findings.isEmpty() ? 0 : 1;
        } catch (IOException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException("interrupted, so there is no result");
        }
    }

    private synchronized void show(Report report) {
        terminal.out()
                .println(String.format(
                        Locale.ROOT,
                        "seed %d: %,d edges in %d s",
                        report.seed(),
                        report.coverage(),
                        report.time().toSeconds()));
        new TreeMap<>(report.inputs())
                .forEach((target, inputs) ->
                        terminal.out().println(String.format(Locale.ROOT, "  %-14s %,12d inputs", target, inputs)));
        for (Finding finding : report.findings()) {
            terminal.out().println("  BROKEN: " + OneLine.of(finding.reason()));
            terminal.out().println("  corpus/" + finding.target() + ".txt: " + finding.line());
        }
    }

    private static Figures figures(List<Report> reports, int first) {
        return new Figures()
                .with("seed", first)
                .with("runs", reports.stream().map(FuzzCommand::figures).toList());
    }

    private static Figures figures(Report report) {
        return new Figures()
                .with("seed", report.seed())
                .with("inputs", new TreeMap<>(report.inputs()))
                .with("edges", report.coverage())
                .with("seconds", report.time())
                .with(
                        "findings",
                        report.findings().stream()
                                .map(finding -> new Figures()
                                        .with("target", finding.target())
                                        .with("input", finding.line())
                                        .with("reason", finding.reason()))
                                .toList());
    }
}
