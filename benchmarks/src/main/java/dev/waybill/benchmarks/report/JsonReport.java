package dev.waybill.benchmarks.report;

import dev.waybill.benchmarks.journal.Findings;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.server.cli.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result for programs. */
public final class JsonReport {
    private JsonReport() {}

    public static Figures of(Report report) {
        Map<String, Figures> findings = new LinkedHashMap<>();
        report.findings().forEach((scenario, found) -> findings.put(scenario, findings(found)));
        return new Figures()
                .with("holds", report.holds())
                .with("checks", report.checks().stream().map(JsonReport::check).toList())
                .with("environment", report.environment())
                .with(
                        "figures",
                        report.figures().stream().map(JsonReport::figure).toList())
                .with("findings", findings)
                .with("settings", report.settings())
                .with("notes", List.copyOf(report.notes()));
    }

    private static Figures check(Check check) {
        return new Figures()
                .with("scenario", check.bar().scenario())
                .with("metric", check.bar().metric())
                .with("value", check.spread().median())
                .with("low", check.spread().low())
                .with("high", check.spread().high())
                .with("bar", check.bar().text())
                .with("holds", check.holds());
    }

    private static Figures figure(Figure figure) {
        Spread spread = figure.spread();
        return new Figures()
                .with("scenario", figure.scenario())
                .with("what", figure.what())
                .with("contender", figure.contender())
                .with("unit", figure.unit())
                .with("median", spread.median())
                .with("low", spread.low())
                .with("high", spread.high())
                .with("each", figure.each());
    }

    private static Figures findings(Findings found) {
        return new Figures()
                .with("published", found.published())
                .with("received", found.received())
                .with("lost", found.lost())
                .with("ghosts", found.ghosts())
                .with("doubled", found.doubled())
                .with("out_of_order", found.outOfOrder());
    }
}
