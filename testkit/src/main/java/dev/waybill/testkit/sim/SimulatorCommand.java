package dev.waybill.testkit.sim;

import dev.waybill.OneLine;
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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The {@code sim} command: runs many simulated worlds, or replays one. Thread-safe. */
public final class SimulatorCommand {
    private static final int MAX_THREADS = 8;
    private static final int MAX_REPORTS = 20;
    private static final int MAX_PROBLEMS = 4;

    private final PrintStream out;
    private final Totals totals = new Totals();
    private final AtomicLong reports = new AtomicLong();
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
        }
    }

    private int run(Options options) throws Options.InvalidException {
        Long replay = options.replay();
        if (replay != null) {
            replay(replay);
        } else {
            runAll(options);
            out.print(totals.summary(elapsed()));
        }
        write(options.json());
        return totals.failed() ? 1 : 0;
    }

    private void replay(long seed) {
        Run run = Simulation.run(seed, out::println);
        totals.add(run);
        out.println();
        out.println(run.verdict());
        run.problems().forEach(problem -> out.println("FAILED: " + problem));
        out.printf("Seed %d %s, trace %016x.%n", seed, run.failed() ? "failed" : "held", run.traceHash());
    }

    private void runAll(Options options) {
        AtomicLong next = new AtomicLong(options.from());
        long end = options.from() + options.seeds();
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = (int) Math.min(Math.min(MAX_THREADS, processors), options.seeds());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(executor.submit(() -> work(next, end)));
            }
            executor.shutdown();
            while (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
                out.println(totals.progress(options.seeds()));
            }
            for (Future<?> worker : workers) {
                worker.get();
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
    }

    private void write(@Nullable Path json) throws Options.InvalidException {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(json, totals.json(elapsed()));
        } catch (IOException e) {
            throw new Options.InvalidException("Cannot write the figures to " + json + ": " + e);
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
