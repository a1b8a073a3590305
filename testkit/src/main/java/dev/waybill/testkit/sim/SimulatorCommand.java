package dev.waybill.testkit.sim;

import dev.waybill.OneLine;
import dev.waybill.testkit.sim.mutants.MutationGate;
import dev.waybill.testkit.sim.mutants.PatchException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The {@code sim} command: runs many simulated worlds, replays one, or plants bugs. Thread-safe. */
public final class SimulatorCommand {
    private static final long USUAL_SEEDS = 1000;
    private static final long SEEDS_FOR_A_BUG = 4000;
    private static final int MAX_THREADS = 8;
    private static final int MAX_REPORTS = 20;
    private static final int MAX_PROBLEMS = 4;

    /** What is run between two writes of the state. */
    private static final long BLOCK = 500;

    private final PrintStream out;
    private final Totals totals = new Totals();
    private final AtomicLong reports = new AtomicLong();
    private final AtomicBoolean minimised = new AtomicBoolean();
    private final long started = System.nanoTime();

    private SimulatorCommand(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the command.
     *
     * @return 0: every promise held; 1: some did not; 2: the arguments are wrong
     */
    public static int run(String[] args, PrintStream out) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                out.print(Options.USAGE);
                return 0;
            }
            return new SimulatorCommand(out).run(options);
        } catch (Options.InvalidException e) {
            out.println(OneLine.of(String.valueOf(e.getMessage())));
            out.println();
            out.print(Options.USAGE);
            return 2;
        } catch (PatchException e) {
            out.println(e.getMessage());
            return 2;
        }
    }

    private int run(Options options) throws Options.InvalidException {
        if (options.mutants()) {
            return plant(options);
        }
        Long replay = options.replay();
        if (replay != null) {
            replay(replay, options.cut());
        } else {
            runAll(options);
            out.print(totals.summary(elapsed()));
        }
        write(options.json(), totals.json(elapsed()));
        return totals.failed() ? 1 : 0;
    }

    // --- planted bugs

    private int plant(Options options) throws Options.InvalidException {
        MutationGate gate =
                new MutationGate(out, options.fromOr(1), options.seedsOr(SEEDS_FOR_A_BUG), options.knownFirst());
        List<MutationGate.Finding> findings = gate.run(bug -> bug.contains(options.bug()));
        if (findings.isEmpty()) {
            throw new Options.InvalidException("No planted bug has \"" + options.bug() + "\" in its name.");
        }
        long caught = findings.stream().filter(MutationGate.Finding::isCaught).count();
        out.printf("%d of %d planted bugs were caught, in %.1f s.%n", caught, findings.size(), seconds());
        write(options.json(), MutationGate.json(findings));
        return caught == findings.size() ? 0 : 1;
    }

    // --- one seed

    private void replay(long seed, Cut cut) {
        Run run = Simulation.run(seed, cut, out::println);
        totals.add(run);
        out.println();
        out.println(run.verdict());
        run.problems().forEach(problem -> out.println("FAILED: " + problem));
        out.printf("Seed %d%s %s, trace %016x.%n", seed, cut, run.failed() ? "failed" : "held", run.traceHash());
    }

    // --- many seeds

    private void runAll(Options options) throws Options.InvalidException {
        Progress progress = Progress.begin(options, totals);
        out.println("From seed " + progress.next() + ":");
        long end = progress.next() + options.seedsOr(USUAL_SEEDS);
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = (int) Math.min(Math.min(MAX_THREADS, processors), options.seedsOr(USUAL_SEEDS));
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            long shown = System.nanoTime();
            for (long from = progress.next(); from < end; from += BLOCK) {
                long to = Math.min(end, from + BLOCK);
                AtomicLong next = new AtomicLong(from);
                List<Future<?>> workers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    workers.add(executor.submit(() -> work(next, to)));
                }
                for (Future<?> worker : workers) {
                    worker.get();
                }
                progress.reached(to, elapsed());
                if (System.nanoTime() - shown > TimeUnit.SECONDS.toNanos(1)) {
                    shown = System.nanoTime();
                    out.println(totals.progress(elapsed()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The simulator itself failed", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private void work(AtomicLong next, long end) {
        for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
            Run run = run(seed);
            totals.add(run);
            if (run.failed() && reports.incrementAndGet() <= MAX_REPORTS) {
                report(run);
            }
        }
    }

    private static Run run(long seed) {
        try {
            return Simulation.run(seed);
        } catch (RuntimeException e) {
            throw new IllegalStateException("Seed " + seed, e);
        }
    }

    /** In one call, because several threads report. */
    private void report(Run run) {
        int shown = Math.min(MAX_PROBLEMS, run.problems().size());
        String problems =
                String.join(System.lineSeparator() + "  ", run.problems().subList(0, shown));
        out.printf(
                "Seed %d FAILED:%n  %s%n  replay it with ./waybill sim --seed %d%n", run.seed(), problems, run.seed());
        if (minimised.compareAndSet(false, true)) {
            Minimiser minimiser = new Minimiser(run.seed());
            Cut cut = minimiser.minimise();
            out.printf(
                    "Seed %d, made as small as possible:%n%s%n  see all of it with ./waybill sim --seed %d%s%n",
                    run.seed(), minimiser.trace(), run.seed(), cut);
        }
    }

    private static void write(@Nullable Path json, String figures) throws Options.InvalidException {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(json, figures);
        } catch (IOException e) {
            throw new Options.InvalidException("Cannot write the figures to " + json + ": " + e);
        }
    }

    private double seconds() {
        return elapsed().toMillis() / 1000.0;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
