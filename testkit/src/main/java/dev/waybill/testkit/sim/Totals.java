package dev.waybill.testkit.sim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The figures of many runs together. Thread-safe. */
final class Totals {
    private static final int SHOWN_SEEDS = 10;
    private static final String COUNT = "count.";

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
    private Duration before = Duration.ZERO;

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

    synchronized String progress(Duration took) {
        return String.format(
                Locale.ROOT,
                "%,d seeds in %d s, %,d events, %d failed",
                seeds,
                before.plus(took).toSeconds(),
                written,
                failedSeeds.size());
    }

    // --- as properties, so that a later process can add to them

    synchronized void save(Properties state, Duration took) {
        state.setProperty("millis", Long.toString(before.plus(took).toMillis()));
        state.setProperty("longestDrain", longestDrain.toString());
        state.setProperty("failed", failedSeeds.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        figures().forEach((name, value) -> state.setProperty(name, Long.toString(value)));
        counts.forEach((what, times) -> state.setProperty(COUNT + what, Long.toString(times)));
    }

    private Map<String, Long> figures() {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("seeds", seeds);
        figures.put("sound", sound);
        figures.put("written", written);
        figures.put("delivered", delivered);
        figures.put("duplicates", duplicates);
        figures.put("lost", lost);
        figures.put("ghosts", ghosts);
        figures.put("outOfOrder", outOfOrder);
        return figures;
    }

    /** Goes on from figures that were saved. */
    synchronized void load(Properties state) {
        before = Duration.ofMillis(number(state, "millis"));
        longestDrain = Duration.parse(state.getProperty("longestDrain", "PT0S"));
        for (String seed : state.getProperty("failed", "").split(" ", -1)) {
            if (!seed.isEmpty()) {
                failedSeeds.add(Long.parseLong(seed));
            }
        }
        seeds = number(state, "seeds");
        sound = number(state, "sound");
        written = number(state, "written");
        delivered = number(state, "delivered");
        duplicates = number(state, "duplicates");
        lost = number(state, "lost");
        ghosts = number(state, "ghosts");
        outOfOrder = number(state, "outOfOrder");
        for (String name : state.stringPropertyNames()) {
            if (name.startsWith(COUNT)) {
                counts.put(name.substring(COUNT.length()), number(state, name));
            }
        }
    }

    private static long number(Properties state, String name) {
        return Long.parseLong(state.getProperty(name));
    }

    synchronized String summary(Duration took) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d seeds in %.1f s (%,d of them without unsound faults): %,d events written, %,d delivered; "
                        + "%d lost, %d ghosts, %d out of order, %,d duplicates, all explained by faults unless reported.%n",
                seeds,
                before.plus(took).toMillis() / 1000.0,
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
        figures.put("seconds", before.plus(took).toMillis() / 1000.0);
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
