package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.worker.Workers;
import java.util.ArrayList;
import java.util.List;

/** Whom Waybill is compared with: all contenders of a class path that are not our own. */
final class Peers {
    private Peers() {}

    static List<String> names(Workers workers, String classPath) {
        List<String> names = new ArrayList<>(workers.names(classPath));
        names.removeAll(new OwnProvider().names());
        names.removeAll(new RawProvider().names());
        return List.copyOf(names);
    }
}
