package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Several relay processes on one database, and what can be written while it is drained. */
final class ScaleScenario implements Scenario {
    private static final String NAME = "scale";
    private static final int[] PROCESSES = {1, 2, 4};
    private static final int SHARDS = 64;
    private static final Duration SHARING = Duration.ofSeconds(30);
    private static final Map<String, String> OPTIONS = Map.of("retention", "PT0S", "notify", "true");

    @Override
    public void run(Bench bench) {
        int messages = bench.sizes().smallBacklog();
        Rounds rounds = new Rounds();
        for (int processes : PROCESSES) {
            Fleet fleet = start(bench, processes);
            // Of two processes each sees half of the messages, and is compiled half as fast.
            for (int i = 0; i < processes; i++) {
                bench.warmUp(fleet.relays().get(0), () -> drain(bench, fleet, messages));
            }
            rounds.with(label(processes), () -> drain(bench, fleet, messages));
        }
        Map<String, double[]> found = bench.rounds(rounds, bench.sizes().pairs());
        bench.figures(NAME, "drain, retention 0", "events/s", found);
        bench.report()
                .check(
                        Bars.SCALE,
                        Spread.ofRatios(
                                found.getOrDefault(label(2), new double[0]),
                                found.getOrDefault(label(1), new double[0])));
        bench.workers().close();
        new Sustained(bench).run();
    }

    private static String label(int processes) {
        return OwnProvider.WAYBILL + ", " + processes + (processes == 1 ? " process" : " processes");
    }

    /** Relays that share one outbox. */
    private record Fleet(String database, List<Runner> relays) {}

    private static Fleet start(Bench bench, int processes) {
        String database = "scale_" + processes;
        List<Runner> relays = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            relays.add(bench.contender(OwnProvider.WAYBILL, database, OPTIONS));
        }
        relays.get(0).install();
        relays.forEach(Runner::start);
        bench.progress().step("sharing the shards among " + processes);
        long end = System.nanoTime() + SHARING.toNanos();
        // The fair share, rounded down as relays do that have to give one away.
        while (fewest(bench, database, processes) < SHARDS / processes - 1 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return new Fleet(database, relays);
    }

    private static long fewest(Bench bench, String database, int processes) {
        return bench.server()
                .number(
                        database,
                        "SELECT CASE WHEN count(*) = " + processes
                                + " THEN min(shards) ELSE 0 END FROM (SELECT count(*)"
                                + " AS shards FROM waybill_lease WHERE owner IS NOT NULL GROUP BY owner) l");
    }

    /** All is committed at once, while the relays wait for it. */
    private static double drain(Bench bench, Fleet fleet, int messages) {
        bench.server().checkpoint();
        fleet.relays().get(0).fill(messages, Sizes.KEYS, Sizes.PAYLOAD);
        LatencyScenario.awaitAll(fleet.relays(), messages, Bench.PATIENCE);
        long first = Long.MAX_VALUE;
        long last = 0;
        long received = 0;
        for (Runner relay : fleet.relays()) {
            Runner.Received part = relay.renew();
            if (part.messages() > 0) {
                first = Math.min(first, part.first());
                last = Math.max(last, part.last());
                received += part.messages();
            }
        }
        bench.checkBacklog(NAME, messages, fleet.relays());
        return new Runner.Received(received, first, last).perSecond();
    }
}
