package dev.waybill.testkit.sim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The figures of many runs together. Thread-safe. */
final class Totals {
    private static final int SHOWN_SEEDS = 10;

    private final Map<String, Long> counts = new TreeMap<>();
    private final TreeSet<Long> failedSeeds = new TreeSet<>();
    private long seeds;
    private long sound;
    private long written;
    private long delivered;
    private long duplicates;
    private long lost;
    private long ghosts;
    private long outOfOrder;
    private Duration longestDrain = Duration.ZERO;

    synchronized void add(Run run) {
        seeds++;
        sound += run.sound() ? 1 : 0;
        written += run.verdict().written();
        delivered += run.verdict().delivered();
        duplicates += run.verdict().duplicates();
        lost += run.verdict().lost();
        ghosts += run.verdict().ghosts();
        outOfOrder += run.verdict().outOfOrder();
        run.counts().forEach((what, times) -> counts.merge(what, times, Long::sum));
        if (run.drained().compareTo(longestDrain) > 0) {
            longestDrain = run.drained();
        }
        if (run.failed()) {
            failedSeeds.add(run.seed());
        }
    }

    synchronized boolean failed() {
        return !failedSeeds.isEmpty();
    }

    synchronized String progress(long of) {
        return String.format(
                Locale.ROOT, "%,d of %,d seeds, %,d events, %d failed", seeds, of, written, failedSeeds.size());
    }

    synchronized String summary(Duration took) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d seeds in %.1f s (%,d of them without unsound faults): %,d events written, %,d delivered; "
                        + "%d lost, %d ghosts, %d out of order, %,d duplicates, all explained by faults unless reported.%n",
                seeds,
                took.toMillis() / 1000.0,
                sound,
                written,
                delivered,
                lost,
                ghosts,
                outOfOrder,
                duplicates));
        counts.forEach((what, times) -> text.append(String.format(Locale.ROOT, "  %-20s %,12d%n", what, times)));
        text.append(String.format(
                Locale.ROOT,
                "  %-20s %,12.1f s of virtual time%n",
                "longest recovery",
                longestDrain.toMillis() / 1000.0));
        if (failedSeeds.isEmpty()) {
            text.append("Every promise held in every world.\n");
        } else {
            text.append(failedSeeds.size()).append(" seeds FAILED; replay them with\n");
            failedSeeds.stream()
                    .limit(SHOWN_SEEDS)
                    .forEach(seed ->
                            text.append("  ./waybill sim --seed ").append(seed).append('\n'));
        }
        return text.toString();
    }

    synchronized String json(Duration took) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("seeds", seeds);
        figures.put("failedSeeds", failedSeeds.size());
        figures.put("soundSeeds", sound);
        figures.put("seconds", took.toMillis() / 1000.0);
        figures.put("written", written);
        figures.put("delivered", delivered);
        figures.put("duplicates", duplicates);
        figures.put("lost", lost);
        figures.put("ghosts", ghosts);
        figures.put("outOfOrder", outOfOrder);
        figures.put("longestRecoverySeconds", longestDrain.toMillis() / 1000.0);
        counts.forEach((what, times) -> figures.put(camelCase(what), times));
        StringBuilder json = new StringBuilder("{");
        figures.forEach((name, value) -> json.append(json.length() > 1 ? "," : "")
                .append("\n  \"")
                .append(name)
                .append("\": ")
                .append(value));
        return json.append("\n}\n").toString();
    }

    private static String camelCase(String words) {
        StringBuilder name = new StringBuilder();
        for (String word : words.split(" ", -1)) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }
}
