package dev.waybill.benchmarks.report;

import dev.waybill.server.cli.MarkdownTable;
import java.util.ArrayList;
import java.util.List;

/** The result as Markdown that also reads well on a terminal. */
public final class MarkdownReport {
    private MarkdownReport() {}

    public static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>();
        report.environment().forEach((name, value) -> lines.add("- " + name + ": " + value));
        lines.add("");
        figures(report, lines);
        lines.add("");
        checks(report, lines);
        lines.add("");
        findings(report, lines);
        lines.add("");
        lines.add("Settings:");
        lines.add("");
        report.settings()
                .forEach((contender, texts) -> texts.forEach(text -> lines.add("- " + contender + ": " + text)));
        report.notes().forEach(note -> lines.add("- note: " + note));
        return lines;
    }

    private static void figures(Report report, List<String> lines) {
        MarkdownTable table = new MarkdownTable("scenario", "measured", "contender", "median", "interval", "unit");
        for (Figure figure : report.figures()) {
            table.row(
                    figure.scenario(),
                    figure.what(),
                    figure.contender(),
                    Numbers.text(figure.spread().median()),
                    Numbers.interval(figure.spread()),
                    figure.unit());
        }
        lines.addAll(table.lines());
    }

    private static void checks(Report report, List<String> lines) {
        MarkdownTable table = new MarkdownTable("scenario", "check", "value", "interval", "bar", "holds");
        for (Check check : report.checks()) {
            table.row(
                    check.bar().scenario(),
                    check.bar().metric(),
                    Numbers.text(check.spread().median()),
                    Numbers.interval(check.spread()),
                    check.bar().text(),
                    check.holds() ? "yes" : "NO");
        }
        lines.addAll(table.lines());
    }

    private static void findings(Report report, List<String> lines) {
        MarkdownTable table = new MarkdownTable("Waybill in", "published", "lost", "doubled", "out of order");
        report.findings()
                .forEach((scenario, found) -> table.row(
                        scenario,
                        Numbers.text((double) found.published()),
                        Numbers.text((double) found.lost()),
                        Numbers.text((double) found.doubled()),
                        Numbers.text((double) found.outOfOrder())));
        lines.addAll(table.lines());
    }
}
