package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.Incident;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** The last things that happened. Thread-safe. */
final class Incidents {
    private static final int KEPT = 8;

    private final Supplier<Duration> elapsed;
    private final Deque<Incident> last = new ArrayDeque<>();

    Incidents(Supplier<Duration> elapsed) {
        this.elapsed = elapsed;
    }

    /** Adds the first line of what happened. */
    synchronized void add(String what) {
        last.addLast(new Incident(elapsed.get(), firstLine(what)));
        if (last.size() > KEPT) {
            last.removeFirst();
        }
    }

    /** Adds it unless it is among the last: what fails again and again fails for the same reason. */
    synchronized void addOnce(String what) {
        if (last.stream().noneMatch(incident -> incident.what().equals(firstLine(what)))) {
            add(what);
        }
    }

    /** From old to new. */
    synchronized List<Incident> last() {
        return List.copyOf(last);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
