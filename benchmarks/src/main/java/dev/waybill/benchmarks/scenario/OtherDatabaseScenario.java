package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.contender.Site;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.raw.RawProvider;
import dev.waybill.benchmarks.report.Bar;
import dev.waybill.benchmarks.worker.Runner;
import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.database.DatabaseChoice;
import dev.waybill.server.database.ScratchDatabase;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The drain on MariaDB or H2, against a raw loop there. */
record OtherDatabaseScenario(String name, Bar bar) implements Scenario {
    private static final int HEAP = 512;

    @Override
    public void run(Bench bench) {
        bench.progress().step("starting the database");
        ScratchDatabase opened;
        try {
            opened = open(bench);
        } catch (RuntimeException e) {
            bench.report()
                    .note(name + " was not measured, because it did not start (./waybill bench " + name
                            + " brings its server): " + e.getMessage());
            return;
        }
        try (ScratchDatabase database = opened) {
            measure(bench, database);
            // H2 is within them, MariaDB ends after them.
            bench.workers().close();
        }
    }

    private ScratchDatabase open(Bench bench) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new DatabaseChoice(name, null, null).open(bench.folder(), "bench", Terminal.plain(nowhere, nowhere));
    }

    private void measure(Bench bench, ScratchDatabase database) {
        int messages = bench.sizes().other();
        Runner raw = contender(bench, RawProvider.BY_HAND, database.createSchema("raw"));
        Runner waybill = contender(bench, OwnProvider.WAYBILL, database.createSchema("waybill"));
        List.of(raw, waybill).forEach(runner -> bench.warmUp(runner, () -> bench.drain(runner, messages)));
        Map<String, double[]> found = bench.rounds(
                new Rounds()
                        .with(RawProvider.BY_HAND, () -> bench.drain(raw, messages))
                        .with(OwnProvider.WAYBILL, () -> {
                            double rate = bench.drain(waybill, messages);
                            bench.checkBacklog(name, messages, List.of(waybill));
                            return rate;
                        }),
                bench.sizes().fewPairs());
        bench.figures(name, "drain, retention 0", "events/s", found);
        bench.report()
                .check(
                        bar,
                        Spread.ofRatios(
                                found.getOrDefault(OwnProvider.WAYBILL, new double[0]),
                                found.getOrDefault(RawProvider.BY_HAND, new double[0])));
    }

    private static Runner contender(Bench bench, String name, Pools.Target target) {
        Site site = new Site(
                target.url(),
                Objects.requireNonNullElse(target.user(), ""),
                Objects.requireNonNullElse(target.password(), ""),
                Sizes.WRITERS,
                Map.of("retention", "PT0S"));
        return bench.contender(name, site, HEAP);
    }
}
