package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Load;
import dev.waybill.benchmarks.worker.Runner;
import java.util.List;
import java.util.Map;

/** What publishing costs a transaction: 8 writers, a business row and one event, then ten events. */
final class WriteScenario implements Scenario {
    private static final String NAME = "write";
    private static final int MANY = 10;

    @Override
    public void run(Bench bench) {
        Runner raw = bench.contender(RawProvider.BY_HAND, "raw", Map.of());
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill", Map.of());
        Runner none = bench.contender(RawProvider.NO_OUTBOX, "none", Map.of());
        Rounds ones = new Rounds()
                .with(RawProvider.NO_OUTBOX, () -> write(bench, none, 1))
                .with(RawProvider.BY_HAND, () -> write(bench, raw, 1))
                .with(OwnProvider.WAYBILL, () -> write(bench, waybill, 1));
        for (Runner peer : bench.startPeers()) {
            ones.with(peer.contender(), bench.peerMeasure(peer.contender(), () -> write(bench, peer, 1)));
            bench.peerMeasure(peer.contender(), () -> warmUp(bench, peer, 1)).figure();
        }
        List.of(none, raw, waybill).forEach(runner -> warmUp(bench, runner, 1));
        Map<String, double[]> one = bench.rounds(ones, bench.sizes().pairs());
        bench.figures(NAME, "one event a transaction", "tx/s", one);
        bench.report().check(Bars.WRITE_ONE, ratio(one));
        checkAll(bench, waybill);

        // A statement of ten rows is other code, which would be compiled while it is measured.
        List.of(raw, waybill).forEach(runner -> warmUp(bench, runner, MANY));
        Map<String, double[]> ten = bench.rounds(
                new Rounds()
                        .with(RawProvider.BY_HAND, () -> write(bench, raw, MANY))
                        .with(OwnProvider.WAYBILL, () -> write(bench, waybill, MANY)),
                bench.sizes().pairs());
        bench.figures(NAME, "ten events a transaction", "tx/s", ten);
        bench.report().check(Bars.WRITE_TEN, ratio(ten));
        checkAll(bench, waybill);
    }

    private static double warmUp(Bench bench, Runner runner, int perTransaction) {
        bench.progress().step("warming up, " + runner.contender());
        runner.install();
        return runner.write(Load.of(Sizes.WRITERS, perTransaction, bench.sizes().warmUp()))
                .perSecond();
    }

    private static double write(Bench bench, Runner runner, int perTransaction) {
        runner.install();
        bench.server().checkpoint();
        return runner.write(Load.of(Sizes.WRITERS, perTransaction, bench.sizes().writing()))
                .perSecond();
    }

    private static Spread ratio(Map<String, double[]> figures) {
        return Spread.ofRatios(
                figures.getOrDefault(OwnProvider.WAYBILL, new double[0]),
                figures.getOrDefault(RawProvider.BY_HAND, new double[0]));
    }

    /** What the last round wrote must arrive. */
    private static void checkAll(Bench bench, Runner waybill) {
        long written = bench.check(waybill, List.of()).published();
        waybill.start();
        waybill.await(written, Bench.PATIENCE);
        waybill.stop();
        bench.report().findings(NAME, bench.check(waybill, List.of(waybill)));
    }
}
