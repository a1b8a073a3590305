package dev.waybill.chaos.run;

import dev.waybill.chaos.check.Judgement;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import java.time.Duration;
import java.util.List;

/**
 * A run and what came of it. Immutable.
 *
 * @param began    when the load began, in milliseconds of the steady clock
 * @param ended    when it ended
 * @param drained  how long it took from then until everything had arrived and taken effect
 * @param ownEnds  how often a process ended without being told to
 */
public record RunResult(
        Settings settings,
        String database,
        List<Episode> episodes,
        Judgement judgement,
        long began,
        long ended,
        Duration drained,
        int ownEnds) {
    public RunResult {
        episodes = List.copyOf(episodes);
    }

    public long count(FaultKind kind) {
        return episodes.stream().filter(one -> one.fault().kind() == kind).count();
    }

    /** Network faults, each of which may have cut many connections. */
    public long networkFaults() {
        return episodes.stream().filter(one -> one.fault().kind().isNetwork()).count();
    }
}
