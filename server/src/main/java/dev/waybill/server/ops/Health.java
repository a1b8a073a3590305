package dev.waybill.server.ops;

import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the figures mean, in plain words, with the next step to take; the worst first. */
final class Health {
    /** A retry with its pauses may well take as long; beyond it somebody should look. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private Health() {}

    /** Empty: all is well. */
    static List<String> problems(Statistics statistics) {
        List<String> problems = new ArrayList<>();
        addRelays(problems, statistics);
        if (statistics.dead() > 0) {
            String need = statistics.dead() == 1 ? " needs" : " need";
            problems.add(Words.count(statistics.dead(), "dead letter") + need + " a decision: waybill ops dead list");
        }
        addPauses(problems, statistics);
        for (OfDestination one : statistics.destinations()) {
            if (isLate(one)) {
                problems.add("The oldest event for " + one.destination() + " has been waiting "
                        + one.oldestAge().map(Words::duration).orElse("") + lateReason(one, statistics));
            }
        }
        return problems;
    }

    private static void addRelays(List<String> problems, Statistics statistics) {
        if (statistics.liveRelays() == 0) {
            problems.add("No relay is running, nothing is delivered. Start your service, or: waybill relay --help");
        } else if (statistics.ownedShards() < Shards.COUNT) {
            problems.add("Only " + statistics.ownedShards() + " of " + Shards.COUNT
                    + " shards have a relay; the others wait. Usual for some seconds after a relay came or went");
        }
    }

    private static void addPauses(List<String> problems, Statistics statistics) {
        String paused = statistics.destinations().stream()
                .filter(OfDestination::paused)
                .map(OfDestination::destination)
                .collect(Collectors.joining(", "));
        if (!paused.isEmpty()) {
            problems.add("Paused by decision: " + paused + ". See waybill ops pauses");
        }
    }

    private static boolean isLate(OfDestination one) {
        return !one.paused()
                && one.oldestAge().filter(age -> age.compareTo(LONG) > 0).isPresent();
    }

    private static String lateReason(OfDestination one, Statistics statistics) {
        if (statistics.liveRelays() == 0) {
            return "";
        }
        if (one.failing() > 0) {
            return ", " + Words.count(one.failing(), "event") + " failed and will be tried again;"
                    + " the relay's log says why";
        }
        return one.delivered() > 0
                ? ", though others are delivered: the relays do not keep up"
                : " and nothing is delivered: the destination may be down, or no relay has a route for it;"
                        + " the relay's log says which";
    }
}
