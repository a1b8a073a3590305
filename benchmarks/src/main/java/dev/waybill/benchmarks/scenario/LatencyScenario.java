package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.journal.Checker;
import dev.waybill.benchmarks.journal.Journal;
import dev.waybill.benchmarks.measure.Latencies;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bar;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.report.Figure;
import dev.waybill.benchmarks.worker.Load;
import dev.waybill.benchmarks.worker.Runner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** From commit to delivery at a fixed rate: in the same JVM, in another one, and with three relays. */
final class LatencyScenario implements Scenario {
    private static final String NAME = "latency";
    private static final int SLOW = 200;
    private static final int FAST = 2000;
    private static final int RELAYS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    /** Until several relays have shared the shards. */
    private static final Duration SHARING = Duration.ofSeconds(7);

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long SECOND_PART = 1_000_000;
    private static final Map<String, String> NOTIFY = Map.of("notify", "true");

    @Override
    public void run(Bench bench) {
        sameJvm(bench, SLOW);
        sameJvm(bench, FAST);
        bench.workers().close();
        otherJvm(bench);
        bench.workers().close();
        threeRelays(bench);
    }

    private static void sameJvm(Bench bench, int rate) {
        Contest contest = new Contest(bench, "same JVM, " + rate + " tx/s", rate);
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill", Map.of());
        contest.with(OwnProvider.WAYBILL, waybill, List.of(waybill));
        if (rate == SLOW) {
            bench.startPeers().forEach(peer -> contest.with(peer.contender(), peer, List.of(peer)));
        }
        contest.run();
        if (rate == SLOW) {
            checkPeers(bench, contest, Bars.LATENCY_P50, Latencies::p50);
            checkPeers(bench, contest, Bars.LATENCY_P99, Latencies::p99);
        }
    }

    private static void checkPeers(Bench bench, Contest contest, Bar bar, ToDoubleFunction<Latencies> which) {
        OptionalDouble best = bench.peers().stream()
                .filter(contest.found::containsKey)
                .mapToDouble(name -> Spread.of(contest.each(name, which)).median())
                .min();
        double own = Spread.of(contest.each(OwnProvider.WAYBILL, which)).median();
        best.ifPresent(theirs -> bench.report().check(bar, Spread.of(own / theirs)));
    }

    private static void otherJvm(Bench bench) {
        Runner rawWriter = bench.contender(RawProvider.NOTIFY, "raw", Map.of());
        Runner rawReader = bench.contender(RawProvider.NOTIFY, "raw", Map.of());
        Runner writer = bench.contender(OwnProvider.WAYBILL, "waybill", NOTIFY);
        Runner relay = bench.contender(OwnProvider.WAYBILL, "waybill", NOTIFY);
        for (int rate : new int[] {SLOW, FAST}) {
            Contest contest = new Contest(bench, "other JVM, " + rate + " tx/s", rate)
                    .withRunning(RawProvider.NOTIFY, rawWriter, List.of(rawReader))
                    .withRunning(OwnProvider.WAYBILL, writer, List.of(relay));
            contest.run();
            if (rate == SLOW) {
                bench.report()
                        .check(
                                Bars.LATENCY_OTHER_JVM,
                                Spread.ofRatios(
                                        contest.each(OwnProvider.WAYBILL, Latencies::p50),
                                        contest.each(RawProvider.NOTIFY, Latencies::p50)));
            }
        }
    }

    private static void threeRelays(Bench bench) {
        Runner writer = bench.contender(OwnProvider.WAYBILL, "waybill", NOTIFY);
        List<Runner> relays = new ArrayList<>();
        for (int i = 0; i < RELAYS; i++) {
            relays.add(bench.contender(OwnProvider.WAYBILL, "waybill", NOTIFY));
        }
        for (int rate : new int[] {SLOW, FAST}) {
            new Contest(bench, RELAYS + " relays, " + rate + " tx/s", rate)
                    .withRunning(OwnProvider.WAYBILL, writer, relays)
                    .run();
        }
    }

    /** Some that are measured in turn at one rate. */
    private static final class Contest {
        private final Bench bench;
        private final String what;
        private final int rate;
        private final Rounds rounds = new Rounds();
        private final Map<String, List<Latencies>> found = new LinkedHashMap<>();
        private final List<Runner> running = new ArrayList<>();

        Contest(Bench bench, String what, int rate) {
            this.bench = bench;
            this.what = what;
            this.rate = rate;
        }

        Contest with(String name, Runner writer, List<Runner> receivers) {
            return with(name, () -> measure(name, writer, receivers));
        }

        /** Relays that run on, and are idle while others are measured. */
        Contest withRunning(String name, Runner writer, List<Runner> receivers) {
            running.addAll(receivers);
            start(writer, receivers, receivers.size() > 1 ? SHARING : WARM_UP);
            awaitAll(receivers, check(writer, List.of()).findings().published(), PATIENCE);
            receivers.forEach(Runner::renew);
            return with(name, () -> measureNext(name, writer, receivers));
        }

        private Contest with(String name, Supplier<Latencies> measure) {
            List<Latencies> each = new ArrayList<>();
            found.put(name, each);
            Rounds.Measure once = () -> {
                Latencies latencies = measure.get();
                each.add(latencies);
                return latencies.p50();
            };
            rounds.with(name, bench.peers().contains(name) ? bench.peerMeasure(name, once) : once);
            return this;
        }

        void run() {
            Map<String, double[]> through = bench.rounds(rounds, bench.sizes().fewPairs());
            found.keySet().retainAll(through.keySet());
            running.forEach(Runner::stop);
            // The round that warms up does not count.
            found.values().removeIf(each -> each.size() <= bench.sizes().fewPairs());
            found.values().forEach(each -> each.remove(0));
            for (String name : found.keySet()) {
                report(name, "p50", Latencies::p50);
                report(name, "p99", Latencies::p99);
                report(name, "max", Latencies::max);
            }
        }

        private void report(String name, String quantile, ToDoubleFunction<Latencies> which) {
            bench.report().figure(Figure.of(NAME, what + ", " + quantile, name, "ms", each(name, which)));
        }

        double[] each(String name, ToDoubleFunction<Latencies> which) {
            return found.getOrDefault(name, List.of()).stream()
                    .mapToDouble(which)
                    .toArray();
        }

        /** From empty tables, with relays that start and end with it. */
        private Latencies measure(String name, Runner writer, List<Runner> receivers) {
            start(writer, receivers, WARM_UP);
            long warmUp = check(writer, List.of()).findings().published();
            writer.write(load().withFirstNumber(SECOND_PART));
            long measured = check(writer, List.of()).findings().published();
            awaitAll(receivers, warmUp + measured, PATIENCE);
            receivers.forEach(Runner::stop);
            return compare(name, writer, receivers);
        }

        /** With relays that run on. */
        private Latencies measureNext(String name, Runner writer, List<Runner> receivers) {
            writer.write(load());
            awaitAll(receivers, check(writer, List.of()).findings().published(), PATIENCE);
            receivers.forEach(Runner::renew);
            return compare(name, writer, receivers);
        }

        private void start(Runner writer, List<Runner> receivers, Duration warmUp) {
            writer.install();
            receivers.forEach(Runner::start);
            writer.write(Load.of(Sizes.WRITERS, 1, warmUp).withRate(rate));
        }

        private Load load() {
            return Load.of(Sizes.WRITERS, 1, bench.sizes().paced()).withRate(rate);
        }

        private Latencies compare(String name, Runner writer, List<Runner> receivers) {
            if (name.equals(OwnProvider.WAYBILL)) {
                bench.report().findings(NAME, check(writer, receivers).findings());
            }
            return latencies(writer, receivers);
        }

        /** What was written last; what warmed up is neither published nor received here. */
        private static Checker check(Runner writer, List<Runner> receivers) {
            Checker checker = new Checker();
            Bench.readWritten(checker, writer.written());
            receivers.forEach(receiver -> read(checker, receiver.received()));
            return checker;
        }

        private static void read(Checker checker, Path received) {
            try {
                Journal.read(received, (key, number, at, begunAt) -> {
                    if (checker.isPublished(number)) {
                        checker.received(key, number, at);
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Latencies latencies(Runner writer, List<Runner> receivers) {
            Map<Long, Long> arrivals = new HashMap<>();
            List<Long> nanos = new ArrayList<>();
            try {
                for (Runner receiver : receivers) {
                    Journal.read(
                            receiver.received(), (key, number, at, begunAt) -> arrivals.merge(number, at, Math::min));
                }
                Journal.read(writer.written(), (key, number, at, begunAt) -> {
                    Long arrived = arrivals.get(number);
                    if (arrived != null) {
                        nanos.add(arrived - at);
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Latencies.ofNanos(nanos.stream().mapToLong(Long::longValue).toArray());
        }
    }

    /** Until all have arrived at one or the other. */
    static void awaitAll(List<Runner> receivers, long messages, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        long arrived = 0;
        while (arrived < messages && System.nanoTime() < end) {
            arrived = receivers.stream()
                    .mapToLong(receiver ->
                            receiver.await(messages, Duration.ofMillis(20)).messages())
                    .sum();
        }
    }
}
