package dev.waybill.testkit.sim.mutants;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plants bugs, one by one, and lets the simulator look for each of them. A simulator that does not find what is known to
 * be wrong proves nothing by finding nothing. Used by one thread.
 */
public final class MutationGate {
    private static final int SHOWN = 160;

    /** What came of one bug; no seed: the simulator did not notice. */
    public record Finding(String bug, int promise, @Nullable Long seed, String said) {

        public boolean isCaught() {
            return seed != null;
        }

        /** A row of a table in Markdown. */
        String row() {
            return String.format(Locale.ROOT, "| %d | %s | %s | %s |", promise, bug, seed == null ? "-" : seed, said);
        }
    }

    private final PrintStream out;
    private final long from;
    private final long seeds;
    private final boolean knownFirst;
    private final LongFunction<List<String>> sound = new Ward(Map.of()).probe();

    /**
     * A gate that has not begun.
     *
     * @param seeds      so many worlds are given to each bug, at most
     * @param knownFirst whether to begin with the world that is known to show the bug: much faster if it still does
     */
    public MutationGate(PrintStream out, long from, long seeds, boolean knownFirst) {
        this.out = out;
        this.from = from;
        this.seeds = seeds;
        this.knownFirst = knownFirst;
    }

    /**
     * Plants all bugs that are chosen by their name.
     *
     * @throws PatchException if one of them cannot be planted any more
     */
    public List<Finding> run(Predicate<String> chosen) {
        List<Mutant> mutants = Mutants.all().stream()
                .filter(mutant -> chosen.test(mutant.bug()))
                .toList();
        List<Finding> findings = new ArrayList<>();
        if (mutants.isEmpty()) {
            return findings;
        }
        Sources sources = Sources.find();
        out.println("| promise | planted bug | first seed | what was said |");
        out.println("|---|---|---|---|");
        for (Mutant mutant : mutants) {
            Finding finding = examine(mutant, sources);
            out.println(finding.row());
            findings.add(finding);
        }
        return findings;
    }

    private Finding examine(Mutant mutant, Sources sources) {
        LongFunction<List<String>> probe = new Ward(Surgery.plant(mutant, sources)).probe();
        if (knownFirst) {
            List<String> problems = problems(probe, mutant.known());
            if (!problems.isEmpty()) {
                return new Finding(mutant.bug(), mutant.promise(), mutant.known(), shortened(problems.get(0)));
            }
        }
        AtomicLong next = new AtomicLong(from);
        ConcurrentSkipListMap<Long, String> caught = new ConcurrentSkipListMap<>();
        int threads = Math.min(8, Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(executor.submit(() -> look(probe, next, caught)));
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
        return caught.isEmpty()
                ? new Finding(mutant.bug(), mutant.promise(), null, "SURVIVED " + seeds + " worlds")
                : new Finding(
                        mutant.bug(),
                        mutant.promise(),
                        caught.firstKey(),
                        shortened(caught.firstEntry().getValue()));
    }

    /** Each takes the next seed until one is caught; the others finish theirs, so that the first one is the lowest. */
    private void look(LongFunction<List<String>> probe, AtomicLong next, ConcurrentSkipListMap<Long, String> caught) {
        while (caught.isEmpty()) {
            long seed = next.getAndIncrement();
            if (seed >= from + seeds) {
                return;
            }
            List<String> problems = problems(probe, seed);
            if (!problems.isEmpty()) {
                caught.put(seed, problems.get(0));
            }
        }
    }

    /** The findings as JSON. */
    public static String json(List<Finding> findings) {
        String rows = findings.stream()
                .map(finding -> String.format(
                        Locale.ROOT,
                        "    {\"bug\": %s, \"promise\": %d, \"seed\": %s, \"said\": %s}",
                        quoted(finding.bug),
                        finding.promise,
                        finding.seed,
                        quoted(finding.said)))
                .collect(Collectors.joining(",\n"));
        long caught = findings.stream().filter(Finding::isCaught).count();
        return "{\n  \"planted\": " + findings.size() + ",\n  \"caught\": " + caught + ",\n  \"bugs\": [\n" + rows
                + "\n  ]\n}\n";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** What is wrong because of the bug: a world that fails without it says nothing. */
    private List<String> problems(LongFunction<List<String>> probe, long seed) {
        List<String> problems = probe.apply(seed);
        return problems.isEmpty() || sound.apply(seed).isEmpty() ? problems : List.of();
    }

    private static String shortened(String problem) {
        String line = problem.replace('\n', ' ').replace('|', '/');
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }
}
