package dev.waybill.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes the world of a failing seed smaller while it still fails: without one kind of trouble after the other, with fewer
 * writers and relays, for a shorter time. Not thread-safe.
 */
final class Minimiser {
    private static final int MOST_LINES = 150;
    private static final int SHORTEST = 1;

    private final long seed;
    private Cut cut = Cut.NONE;

    Minimiser(long seed) {
        this.seed = seed;
    }

    /** The smallest world that was found. */
    Cut minimise() {
        for (Cut before = null; !cut.equals(before); ) {
            before = cut;
            for (Trouble trouble : Trouble.values()) {
                if (cut.has(trouble)) {
                    keep(cut.without(trouble));
                }
            }
            for (int writers = 1; writers < Math.min(cut.writers(), 6) && !keep(cut.withWriters(writers)); ) {
                writers++;
            }
            for (int relays = 1; relays < Math.min(cut.relays(), 5) && !keep(cut.withRelays(relays)); ) {
                relays++;
            }
            int longest = Math.min(cut.seconds(), 24);
            for (int seconds = SHORTEST; seconds < longest && !keep(cut.withSeconds(seconds)); ) {
                seconds = seconds * 3 / 2 + 1;
            }
        }
        return cut;
    }

    private boolean keep(Cut smaller) {
        boolean fails = fails(smaller);
        if (fails) {
            cut = smaller;
        }
        return fails;
    }

    private boolean fails(Cut smaller) {
        try {
            return Simulation.run(seed, smaller).failed();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            return true;
        }
    }

    /** What happened in the smallest world before the first thing that was wrong, and that. */
    String trace() {
        Deque<String> lines = new ArrayDeque<>();
        boolean[] over = new boolean[1];
        Simulation.run(seed, cut, line -> {
            if (!over[0]) {
                lines.add(line);
                over[0] = line.contains("PROBLEM");
                if (lines.size() > MOST_LINES) {
                    lines.remove();
                }
            }
        });
        return String.join(System.lineSeparator(), lines);
    }
}
