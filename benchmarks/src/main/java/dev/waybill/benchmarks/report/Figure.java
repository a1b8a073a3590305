package dev.waybill.benchmarks.report;

import dev.waybill.benchmarks.measure.Spread;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What a contender reached in a scenario.
 *
 * @param what  which of the scenario's measurements
 * @param each  one value of each round
 */
public record Figure(String scenario, String what, String contender, String unit, List<Double> each) {

    public Figure {
        each = List.copyOf(each);
    }

    public static Figure of(String scenario, String what, String contender, String unit, double... each) {
        return new Figure(
                scenario, what, contender, unit, DoubleStream.of(each).boxed().toList());
    }

    public Spread spread() {
        return Spread.of(each.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
