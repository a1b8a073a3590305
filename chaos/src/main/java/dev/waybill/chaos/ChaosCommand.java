package dev.waybill.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Schedule;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.report.JsonReport;
import dev.waybill.chaos.report.MarkdownReport;
import dev.waybill.chaos.report.Timeline;
import dev.waybill.chaos.run.ChaosRun;
import dev.waybill.chaos.run.Progress;
import dev.waybill.chaos.run.RunResult;
import dev.waybill.chaos.run.StoppedException;
import dev.waybill.chaos.stage.Databases;
import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.cli.Workspace;
import dev.waybill.store.Shards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill chaos}: real processes, real faults, and whether the promises hold. */
@Command(
        name = "chaos",
        header = "Break everything that can break, and check that the promises hold.",
        description = {
            "",
            "Starts a database and a Kafka broker of its own, relays, writers and consumers, all as processes. Kills and pauses"
                    + " them, and breaks the network between relays and servers, by a schedule that is drawn from the seed. Then"
                    + " heals, waits until everything has arrived, and compares what was committed with what is in the"
                    + " topics and with what took effect.",
            ""
        },
        footer = {"", "Exit code: 0 every check holds; 1 one does not, or the run failed; 2 wrong usage."},
        abbreviateSynopsis = true,
        sortOptions = false)
public final class ChaosCommand implements Callable<Integer> {
    private static final Duration LONGEST_END = Duration.ofSeconds(60);
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final long MOST_SEEDS = 1_000_000;

    private final Terminal terminal;

    @Option(names = "--minutes", paramLabel = "<n>", description = "How long load and faults last; 10 if not given.")
    @Nullable
    Integer minutes;

    @Option(names = "--seconds", paramLabel = "<n>", description = "The same in seconds.")
    @Nullable
    Integer seconds;

    @Option(names = "--seed", paramLabel = "<n>", description = "Repeat the faults of a run; a new one if not given.")
    @Nullable
    Long seed;

    @Option(
            names = "--database",
            paramLabel = "<name>",
            description = "Which: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
    Databases database = Databases.POSTGRES;

    @Option(
            names = "--only",
            paramLabel = "<fault>",
            split = ",",
            description = "Only these faults, of: ${COMPLETION-CANDIDATES}.")
    Set<FaultKind> only = EnumSet.noneOf(FaultKind.class);

    @Option(names = "--without", paramLabel = "<fault>", split = ",", description = "All faults but these.")
    Set<FaultKind> without = EnumSet.noneOf(FaultKind.class);

    @Option(
            names = "--full-disk",
            description = "Also fill the database's disk, which is then one of its own: needs root and a loop device.")
    boolean fullDisk;

    @Option(
            names = "--exactly-once",
            description = "Relays deliver in Kafka's transactions, and no duplicate is allowed.")
    boolean exactlyOnce;

    @Option(names = "--relays", paramLabel = "<n>", description = "Relay processes; ${DEFAULT-VALUE} if not given.")
    int relays = 3;

    @Option(
            names = "--rate",
            paramLabel = "<n>",
            description = "Events that are committed in a second, about; ${DEFAULT-VALUE} if not given.")
    int rate = 300;

    @Option(names = "--lease", paramLabel = "<time>", description = "Of the relays; 4s if not given.")
    Duration lease = Duration.ofSeconds(4);

    @Option(
            names = "--window",
            paramLabel = "<n>",
            description = "Entries that a relay may have in hand; ${DEFAULT-VALUE} if not given.")
    int window = 128;

    @Option(names = "--schedule", description = "Print the faults, and do nothing.")
    boolean scheduleOnly;

    @Option(names = "--keep", description = "Keep data, logs and journals, also if everything holds.")
    boolean keep;

    @Option(names = "--json", paramLabel = "<file>", description = "Write figures and checks to a file.")
    @Nullable
    String json;

    @Option(names = "--markdown", paramLabel = "<file>", description = "Write the report to a file, too.")
    @Nullable
    Path markdown;

    @Option(names = "--svg", paramLabel = "<file>", description = "Draw faults, throughput and latency over time.")
    @Nullable
    Path svg;

    ChaosCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Settings settings = settings();
        List<Fault> faults = Schedule.of(settings);
        terminal.err()
                .println("seed " + settings.seed() + ": " + faults.size() + " faults in "
                        + settings.duration().toSeconds() + " s");
        if (scheduleOnly) {
            faults.forEach(fault -> terminal.out().println(fault.text()));
            terminal.out().flush();
            return 0;
        }
        requireWritable();
        Workspace workspace = Workspace.create("waybill-chaos");
        ChaosRun run = new ChaosRun(settings, faults, database, workspace.folder(), new Progress(terminal));
        return Interruption.guard(() -> run(run, workspace), run::stop, LONGEST_END);
    }

    private int run(ChaosRun run, Workspace workspace) {
        boolean holds = false;
        try {
            RunResult result = run.run();
            holds = result.judgement().holds();
            write(result);
            return holds ? 0 : 1;
        } catch (StoppedException e) {
            terminal.err().println("waybill chaos: stopped before the end, so there is no result");
            return 1;
        } catch (IllegalStateException | UncheckedIOException e) {
            terminal.err().println("waybill chaos: the run failed, so there is no result: " + e.getMessage());
            return 1;
        } finally {
            if (holds && !keep) {
                workspace.delete();
            } else {
                terminal.err().println("waybill chaos: data, logs and journals are in " + workspace.folder());
            }
        }
    }

    private Settings settings() {
        if (minutes != null && seconds != null) {
            throw new UsageException("give either --minutes or --seconds");
        }
        Duration duration =
                seconds != null ? Duration.ofSeconds(seconds) : Duration.ofMinutes(minutes == null ? 10 : minutes);
        if (duration.compareTo(SHORTEST) < 0) {
            throw new UsageException("there is no time for faults in less than " + SHORTEST.toSeconds() + " seconds");
        }
        int mostRelays = exactlyOnce ? Shards.GROUPS : 16;
        if (relays < 2 || relays > mostRelays) {
            throw new UsageException("--relays must be between 2 and " + mostRelays
                    + ": somebody has to take over, and each needs a share");
        }
        if (rate < 1 || window < 16) {
            throw new UsageException("--rate must be at least 1, and --window at least 16");
        }
        if (lease.toMillis() < 2_000) {
            throw new UsageException("--lease must be at least 2s: the machine has to keep up with it");
        }
        long chosen = seed != null ? seed : ThreadLocalRandom.current().nextLong(MOST_SEEDS);
        DeliveryMode mode = exactlyOnce ? DeliveryMode.EXACTLY_ONCE : DeliveryMode.IDEMPOTENT;
        return new Settings(chosen, duration, lease, relays, 2, 2, rate, window, mode, kinds());
    }

    private Set<FaultKind> kinds() {
        if (!only.isEmpty() && !without.isEmpty()) {
            throw new UsageException("give either --only or --without");
        }
        Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
        if (!fullDisk && !only.contains(FaultKind.DISK_FULL)) {
            kinds.remove(FaultKind.DISK_FULL);
        }
        if (!only.isEmpty()) {
            kinds.retainAll(only);
        }
        kinds.removeAll(without);
        return kinds;
    }

    /** Before the run, rather than after it. */
    private void requireWritable() {
        if (json != null) {
            new JsonTarget(json).requireWritable();
        }
        requireFolder("--markdown", markdown);
        requireFolder("--svg", svg);
    }

    private static void requireFolder(String option, @Nullable Path file) {
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new UsageException("cannot write " + option + " " + file + ": there is no folder " + folder);
        }
    }

    private void write(RunResult result) {
        JsonTarget target = json == null ? null : new JsonTarget(json);
        if (target == null || !target.isStandardOutput()) {
            MarkdownReport.summary(result).forEach(terminal.out()::println);
            terminal.out().flush();
        }
        try {
            if (markdown != null) {
                Files.write(markdown, MarkdownReport.lines(result), UTF_8);
            }
            if (svg != null) {
                Files.writeString(svg, Timeline.of(result), UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (target != null) {
            target.write(terminal.out(), JsonReport.of(result));
        }
    }
}
