package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether a long history slows the drain. */
final class GrowthScenario implements Scenario {
    private static final String NAME = "growth";
    private static final String PLAIN = OwnProvider.WAYBILL;

    @Override
    public void run(Bench bench) {
        int rows = bench.sizes().history();
        int messages = bench.sizes().smallBacklog();
        String history = String.format(Locale.ROOT, ", %,d history rows", rows);
        Map<String, String> grown = Map.of("retention", "PT24H", "history", Integer.toString(rows));
        Runner plain = bench.contender(OwnProvider.WAYBILL, "waybill", Map.of("retention", "PT24H"));
        Runner raw = bench.contender(RawProvider.BY_HAND, "raw_grown", grown);
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill_grown", grown);
        bench.progress().step("filling the history of " + RawProvider.BY_HAND);
        raw.install();
        bench.progress().step("filling the history of " + OwnProvider.WAYBILL);
        waybill.install();
        Map<String, double[]> found = bench.rounds(
                new Rounds()
                        .with(PLAIN, () -> {
                            double rate = bench.drain(plain, messages);
                            bench.checkBacklog(NAME, messages, List.of(plain));
                            return rate;
                        })
                        .with(PLAIN + history, () -> {
                            double rate = drainAgain(bench, waybill, messages, "waybill");
                            bench.checkBacklog(NAME, messages, List.of(waybill));
                            return rate;
                        })
                        .with(RawProvider.BY_HAND + history, () -> drainAgain(bench, raw, messages, "raw")),
                bench.sizes().pairs());
        bench.figures(NAME, "drain, retention 24 h", "events/s", found);
        bench.report()
                .check(
                        Bars.GROWTH,
                        Spread.ofRatios(
                                found.getOrDefault(PLAIN + history, new double[0]),
                                found.getOrDefault(PLAIN, new double[0])));
    }

    /** Keeps the history, and begins with an outbox that is as new as one that was just made. */
    private static double drainAgain(Bench bench, Runner runner, int messages, String prefix) {
        bench.server().execute(prefix + "_grown", "TRUNCATE " + prefix + "_outbox");
        bench.server().checkpoint();
        runner.fill(messages, Sizes.KEYS, Sizes.PAYLOAD);
        return bench.drainFilled(runner, messages);
    }
}
