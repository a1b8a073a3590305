package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.micro.Micro;
import dev.waybill.benchmarks.report.Figure;
import org.openjdk.jmh.runner.options.TimeValue;

/** What is hot, without a database, by JMH. Only when it is asked for by name: it is held to no bar. */
final class MicroScenario implements Scenario {

    @Override
    public void run(Bench bench) {
        bench.progress().step("JMH, a JVM for each benchmark");
        TimeValue time = TimeValue.milliseconds(bench.sizes().writing().toMillis());
        for (Micro.Found found : Micro.run(time)) {
            bench.report()
                    .figure(Figure.of(
                            "micro", found.name(), "Waybill", "ns/op", found.low(), found.nanos(), found.high()));
        }
    }
}
