package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.contender.Trouble;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.worker.Runner;
import java.util.Map;
import java.util.stream.LongStream;

/** Whether keys that always fail (1 %), and a destination that is down (5 % of the keys), slow the others. */
final class PoisonScenario implements Scenario {
    private static final String NAME = "poison";
    private static final String POISONED = OwnProvider.WAYBILL + ", poison and a dead destination";

    @Override
    public void run(Bench bench) {
        Runner healthy =
                bench.contender(OwnProvider.WAYBILL, "waybill", Map.of("retention", "PT0S", "destinations", "TWO"));
        Runner poisoned = bench.contender(
                OwnProvider.WAYBILL, "poisoned", Map.of("retention", "PT0S", "destinations", "SECOND_IS_DOWN"));
        int messages = bench.sizes().smallBacklog();
        bench.warmUp(healthy, () -> drain(bench, healthy, messages, false));
        bench.warmUp(poisoned, () -> drain(bench, poisoned, messages, true));
        Map<String, double[]> found = bench.rounds(
                new Rounds()
                        .with(OwnProvider.WAYBILL, () -> drain(bench, healthy, messages, false))
                        .with(POISONED, () -> drain(bench, poisoned, messages, true)),
                bench.sizes().pairs());
        bench.figures(NAME, "drain of healthy keys", "events/s", found);
        bench.report()
                .check(
                        Bars.POISON,
                        Spread.ofRatios(
                                found.getOrDefault(POISONED, new double[0]),
                                found.getOrDefault(OwnProvider.WAYBILL, new double[0])));
    }

    private static double drain(Bench bench, Runner runner, int messages, boolean poison) {
        runner.install();
        bench.server().checkpoint();
        runner.fill(messages, Sizes.KEYS, Sizes.PAYLOAD);
        long expected = LongStream.rangeClosed(1, messages)
                .filter(number -> isDeliverable(number % Sizes.KEYS, poison))
                .count();
        if (poison) {
            runner.startPoisoned();
        } else {
            runner.start();
        }
        Runner.Received received = runner.await(expected, Bench.PATIENCE);
        runner.stop();
        bench.noteMissing(runner, received.messages(), expected);
        bench.checkBacklog(NAME, messages, runner, key -> isDeliverable(key, poison));
        return received.perSecond();
    }

    private static boolean isDeliverable(long key, boolean poison) {
        return !poison || !(Trouble.isPoisoned(key) || Trouble.isOfSecondDestination(key));
    }
}
