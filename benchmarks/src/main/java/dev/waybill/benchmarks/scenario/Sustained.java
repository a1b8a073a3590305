package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.report.Figure;
import dev.waybill.benchmarks.worker.Load;
import dev.waybill.benchmarks.worker.Runner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The highest rate of writing at which the backlog does not grow, with the relay in a process of its own: what writers
 * reach beside it, or else a share of what they reach alone.
 */
record Sustained(Bench bench) {
    private static final String NAME = "scale";
    private static final String DATABASE = "sustained";
    private static final Map<String, String> OPTIONS = Map.of("retention", "PT0S", "notify", "true");
    private static final double[] SHARES = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2};
    private static final int LIMIT_ROUNDS = 3;
    private static final Duration LIMIT_TIME = Duration.ofSeconds(3);
    /** A backlog that has grown by less than this much writing has not grown. */
    private static final double SLACK_SECONDS = 0.5;

    void run() {
        Runner writer = bench.contender(OwnProvider.WAYBILL, DATABASE, OPTIONS);
        Runner relay = bench.contender(OwnProvider.WAYBILL, DATABASE, OPTIONS);
        double limit = limit(writer);
        double sustained = 0;
        bench.progress().step("writing and draining as fast as both go");
        Attempt attempt = attempt(writer, relay, 0);
        for (int i = 0; !attempt.holds() && i < SHARES.length; i++) {
            bench.progress().step(String.format("writing and draining at %.1f of the limit", SHARES[i]));
            attempt = attempt(writer, relay, SHARES[i] * limit);
        }
        if (attempt.holds()) {
            sustained = attempt.rate();
        }
        bench.report().figure(Figure.of(NAME, "writing alone", OwnProvider.WAYBILL, "tx/s", limit));
        bench.report()
                .figure(Figure.of(NAME, "writing while draining, sustained", OwnProvider.WAYBILL, "tx/s", sustained));
        bench.report().check(Bars.SUSTAINABLE, Spread.of(sustained / limit));
    }

    private double limit(Runner writer) {
        double[] each = new double[LIMIT_ROUNDS];
        for (int i = -1; i < LIMIT_ROUNDS; i++) {
            bench.progress().round(i + 1, LIMIT_ROUNDS, "writing alone");
            writer.install();
            bench.server().checkpoint();
            double rate = writer.write(Load.of(Sizes.WRITERS, 1, LIMIT_TIME)).perSecond();
            if (i >= 0) {
                each[i] = rate;
            }
        }
        return Spread.of(each).median();
    }

    private record Attempt(double rate, boolean holds) {}

    private Attempt attempt(Runner writer, Runner relay, double rate) {
        writer.install();
        bench.server().checkpoint();
        relay.start();
        Duration time = bench.sizes().sustained();
        Supplier<Runner.Written> writing =
                writer.beginWriting(Load.of(Sizes.WRITERS, 1, time).withRate(rate));
        List<Long> backlog = sample(time);
        double reached = writing.get().perSecond();
        long written = bench.check(writer, List.of()).published();
        bench.noteMissing(relay, relay.await(written, Bench.PATIENCE).messages(), written);
        relay.stop();
        bench.report().findings(NAME, bench.check(writer, List.of(relay)));
        return new Attempt(reached, !grows(backlog, reached * SLACK_SECONDS));
    }

    private List<Long> sample(Duration time) {
        List<Long> backlog = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(250));
            backlog.add(bench.server().number(DATABASE, "SELECT count(*) FROM waybill_outbox"));
        }
        return backlog;
    }

    /** Whether the last third of the samples is higher than the second one; the first belongs to the start. */
    static boolean grows(List<Long> samples, double slack) {
        int third = samples.size() / 3;
        return median(samples.subList(samples.size() - third, samples.size()))
                > median(samples.subList(third, samples.size() - third)) + slack;
    }

    private static double median(List<Long> samples) {
        return samples.isEmpty()
                ? 0
                : Spread.of(samples.stream().mapToDouble(Long::doubleValue).toArray())
                        .median();
    }
}
