package dev.waybill.store.memory;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All replays; guarded by the store's lock. */
final class ReplayTable {
    private final TreeMap<Integer, ReplayRun> runs = new TreeMap<>();
    private final TreeMap<Integer, ReplayRun> unfinished = new TreeMap<>();
    private final Map<UUID, ReplayRun> byRequest = new HashMap<>();

    ReplayRun start(UUID request, ReplayFilter filter, int perSecond, Instant now) {
        int generation = runs.size() + 1;
        ReplayRun run = new ReplayRun(generation, request, filter, perSecond, now);
        runs.put(generation, run);
        unfinished.put(generation, run);
        byRequest.put(request, run);
        return run;
    }

    @Nullable
    ReplayRun find(int generation) {
        return runs.get(generation);
    }

    @Nullable
    ReplayRun find(UUID request) {
        return byRequest.get(request);
    }

    List<Replay> newest(int limit) {
        return runs.descendingMap().values().stream()
                .limit(limit)
                .map(ReplayRun::read)
                .toList();
    }

    /** The running and the paused ones. */
    Collection<ReplayRun> unfinished() {
        return unfinished.values();
    }

    /** Forgets those that have ended from the unfinished ones. */
    void sortOut() {
        unfinished.values().removeIf(ReplayRun::hasEnded);
    }
}
