package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bar;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** How fast a backlog goes: 1,000 keys, a transport that does nothing, without and with a history. */
final class DrainScenario implements Scenario {
    private static final String NAME = "drain";
    private static final String DEBEZIUM = "Debezium";
    private static final int TRIAL = 5_000;
    private static final int TRIALS = 2;
    private static final int PEER_SECONDS = 10;

    @Override
    public void run(Bench bench) {
        run(bench, "PT0S", "retention 0", Bars.DRAIN);
        bench.workers().close();
        run(bench, "PT24H", "retention 24 h", Bars.DRAIN_KEPT);
    }

    private static void run(Bench bench, String retention, String what, Bar bar) {
        int messages = bench.sizes().backlog();
        Map<String, String> options = Map.of("retention", retention);
        Runner raw = bench.contender(RawProvider.BY_HAND, "raw", options);
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill", options);
        List.of(raw, waybill).forEach(runner -> bench.warmUp(runner, () -> bench.drain(runner, messages)));
        Rounds rounds = new Rounds()
                .with(RawProvider.BY_HAND, () -> bench.drain(raw, messages))
                .with(OwnProvider.WAYBILL, () -> {
                    double rate = bench.drain(waybill, messages);
                    bench.checkBacklog(NAME, messages, List.of(waybill));
                    return rate;
                });
        if (bar.equals(Bars.DRAIN)) {
            bench.startPeers().forEach(peer -> addPeer(bench, rounds, peer));
        }
        Map<String, double[]> found = bench.rounds(rounds, bench.sizes().fewPairs());
        bench.figures(NAME, what, "events/s", found);
        double[] ours = found.getOrDefault(OwnProvider.WAYBILL, new double[0]);
        bench.report().check(bar, Spread.ofRatios(ours, found.getOrDefault(RawProvider.BY_HAND, new double[0])));
        if (bar.equals(Bars.DRAIN)) {
            checkPeers(bench, found, ours);
        }
    }

    /**
     * As much as it can do in some seconds: a fixed size would be nothing for one and an hour for another. What it can do
     * shows when it is warm, so the second try, with a size from the first one, decides.
     */
    private static void addPeer(Bench bench, Rounds rounds, Runner peer) {
        String name = peer.contender();
        int messages = TRIAL;
        for (int trial = 0; trial < TRIALS; trial++) {
            int size = messages;
            bench.progress().step("trying " + size + " messages, " + name);
            double rate = bench.peerMeasure(name, () -> bench.drain(peer, size)).figure();
            if (Double.isNaN(rate)) {
                return;
            }
            messages = (int) Math.min(bench.sizes().backlog(), Math.max(size, rate * PEER_SECONDS));
        }
        int size = messages;
        bench.report().note(name + " drains " + size + " messages");
        rounds.with(name, bench.peerMeasure(name, () -> bench.drain(peer, size)));
    }

    private static void checkPeers(Bench bench, Map<String, double[]> found, double[] ours) {
        double own = Spread.of(ours).median();
        List<String> peers = bench.peers().stream().filter(found::containsKey).toList();
        OptionalDouble polling = peers.stream()
                .filter(name -> !name.startsWith(DEBEZIUM))
                .mapToDouble(name -> median(found, name))
                .max();
        polling.ifPresent(best -> bench.report().check(Bars.DRAIN_POLLING, Spread.of(own / best)));
        peers.stream()
                .filter(name -> name.startsWith(DEBEZIUM))
                .forEach(name -> bench.report().check(Bars.DRAIN_DEBEZIUM, Spread.of(own / median(found, name))));
    }

    private static double median(Map<String, double[]> found, String name) {
        return Spread.of(found.getOrDefault(name, new double[0])).median();
    }
}
