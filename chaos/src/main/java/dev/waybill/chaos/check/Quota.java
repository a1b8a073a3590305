package dev.waybill.chaos.check;

import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a run of ten minutes has to reach: one that broke little, or wrote little, proves little. */
final class Quota {
    private static final Duration FULL = Duration.ofMinutes(10);
    private static final int RELAY_KILLS = 20;
    private static final int RELAY_PAUSES = 5;
    private static final int SERVER_KILLS = 3;
    private static final int NETWORK_FAULTS = 20;
    private static final int EVENTS = 100_000;

    private Quota() {}

    /** Nothing for shorter runs, and for those that were asked to leave faults out. */
    static List<Check> of(Settings settings, List<Episode> episodes, long committed) {
        List<Check> checks = new ArrayList<>();
        boolean all = settings.faults()
                .containsAll(List.of(
                        FaultKind.RELAY_KILL,
                        FaultKind.RELAY_PAUSE,
                        FaultKind.DATABASE_KILL,
                        FaultKind.BROKER_KILL,
                        FaultKind.DATABASE_LINK,
                        FaultKind.BROKER_LINK));
        if (!all || settings.duration().compareTo(FULL) < 0) {
            return checks;
        }
        checks.add(count("relay kills", episodes, kind -> kind == FaultKind.RELAY_KILL, RELAY_KILLS));
        checks.add(count("relay pauses", episodes, kind -> kind == FaultKind.RELAY_PAUSE, RELAY_PAUSES));
        checks.add(count("database kills", episodes, kind -> kind == FaultKind.DATABASE_KILL, SERVER_KILLS));
        checks.add(count("broker kills", episodes, kind -> kind == FaultKind.BROKER_KILL, SERVER_KILLS));
        checks.add(count("network faults", episodes, FaultKind::isNetwork, NETWORK_FAULTS));
        checks.add(Check.atLeast("events in ten minutes", committed, EVENTS));
        return checks;
    }

    private static Check count(String name, List<Episode> episodes, Predicate<FaultKind> kinds, int bar) {
        long count =
                episodes.stream().filter(one -> kinds.test(one.fault().kind())).count();
        return Check.atLeast(name, count, bar);
    }
}
