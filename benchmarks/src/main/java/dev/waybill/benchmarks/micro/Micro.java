package dev.waybill.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs all of this package's benchmarks, each in a JVM of its own. */
public final class Micro {
    private static final int ITERATIONS = 5;

    /** What a benchmark found, in nanoseconds for each operation, with JMH's interval of 99.9 %. */
    public record Found(String name, double nanos, double low, double high) {}

    private Micro() {}

    public static List<Found> run(TimeValue time) {
        try {
            List<Found> found = new ArrayList<>();
            for (RunResult result : new Runner(new OptionsBuilder()
                            .include(Micro.class.getPackageName() + "\\..*Micro\\..*")
                            .forks(1)
                            .warmupIterations(ITERATIONS)
                            .warmupTime(time)
                            .measurementIterations(ITERATIONS)
                            .measurementTime(time)
                            .verbosity(VerboseMode.SILENT)
                            .build())
                    .run()) {
                Result<?> primary = result.getPrimaryResult();
                double error = primary.getScoreError();
                String name = result.getParams().getBenchmark();
                found.add(new Found(
                        name.substring(Micro.class.getPackageName().length() + 1),
                        primary.getScore(),
                        primary.getScore() - error,
                        primary.getScore() + error));
            }
            return found;
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH could not run", e);
        }
    }
}
