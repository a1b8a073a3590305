package dev.waybill.benchmarks.report;

import dev.waybill.benchmarks.measure.Spread;

/** A figure and the bar that it is held to: its median decides, the interval is shown with it. */
public record Check(Bar bar, Spread spread) {

    public boolean holds() {
        return bar.isMetBy(spread.median());
    }
}
