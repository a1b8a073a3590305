package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.own.OwnProvider;
import dev.waybill.benchmarks.report.Bars;
import dev.waybill.benchmarks.report.Figure;
import dev.waybill.benchmarks.worker.Runner;
import java.util.List;
import java.util.Map;

/** Whether a relay with a small heap gets through a backlog that is larger than it. */
final class MemoryScenario implements Scenario {
    private static final String NAME = "memory";
    private static final double MEGABYTE = 1 << 20;

    @Override
    public void run(Bench bench) {
        int messages = bench.sizes().large();
        int heap = (int) Bars.MEMORY.limit();
        Runner waybill = bench.contender(OwnProvider.WAYBILL, "waybill", Map.of("retention", "PT0S"), heap);
        waybill.install();
        bench.progress().step("filling");
        waybill.fill(messages, Sizes.KEYS, Sizes.PAYLOAD);
        bench.progress().step("draining");
        waybill.start();
        Runner.Received received = waybill.await(messages, Bench.PATIENCE);
        bench.noteMissing(waybill, received.messages(), messages);
        double used = waybill.stopAndTellHeap() / MEGABYTE;
        bench.checkBacklog(NAME, messages, List.of(waybill));
        String what = messages + " entries, -Xmx" + heap + "m";
        bench.report().figure(Figure.of(NAME, what, OwnProvider.WAYBILL, "events/s", received.perSecond()));
        bench.report().figure(Figure.of(NAME, what, OwnProvider.WAYBILL, "MB used", used));
        bench.report().check(Bars.MEMORY, Spread.of(used));
    }
}
