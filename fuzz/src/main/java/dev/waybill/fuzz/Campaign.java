package dev.waybill.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Fuzzes some targets, in two JVMs at a time, which share the targets and the time. Thread-safe. */
final class Campaign {
    private static final int PARALLEL = 2;

    private final List<JazzerRun> runs = new ArrayList<>();

    /**
     * Prepares a campaign.
     *
     * @param seed   of the first JVM; the other one has the next
     * @param folder for what runs leave behind
     * @param corpus for the inputs that reach new code
     */
    Campaign(List<String> targets, long seed, Path folder, Path corpus) {
        for (int i = 0; i < Math.min(PARALLEL, targets.size()); i++) {
            List<String> share = share(targets, i);
            String name = String.join("+", share);
            runs.add(new JazzerRun(share, seed + i, folder.resolve(name), corpus.resolve(name)));
        }
    }

    private static List<String> share(List<String> targets, int first) {
        return IntStream.iterate(first, i -> i < targets.size(), i -> i + PARALLEL)
                .mapToObj(targets::get)
                .toList();
    }

    /**
     * Fuzzes until the time is over.
     *
     * @param total    of all targets together, without the start of JVMs
     * @param listener hears of each JVM when it is done, from any thread
     * @throws IOException if a target could not be fuzzed
     */
    List<Report> run(Duration total, Consumer<Report> listener) throws IOException, InterruptedException {
        Duration each = total.dividedBy(runs.size());
        ExecutorService executor = Executors.newFixedThreadPool(runs.size());
        try {
            List<Future<Report>> futures = new ArrayList<>();
            for (JazzerRun run : runs) {
                futures.add(executor.submit(() -> {
                    Report report = run.run(each);
                    listener.accept(report);
                    return report;
                }));
            }
            List<Report> reports = new ArrayList<>();
            for (Future<Report> future : futures) {
                reports.add(future.get());
            }
            return reports;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            stop();
            executor.shutdownNow();
        }
    }

    /** Ends what is running. */
    void stop() {
        runs.forEach(JazzerRun::stop);
    }
}
