package dev.waybill.server.demo;

import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Terminal;
import dev.waybill.testkit.check.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The last words of the demo. */
final class VerdictText {
    private static final int EXAMPLES = 5;

    private VerdictText() {}

    static List<String> lines(DemoReport report, Terminal terminal) {
        Style style = new Style(terminal.color());
        Verdict verdict = report.verdict();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(
                report.holds()
                        ? style.good(
                                mark(terminal, "✔ ") + "Every committed event arrived, in order, and nothing else did.")
                        : style.bad(
                                mark(terminal, "✖ ") + "Not as promised: " + String.join(", ", broken(report)) + "."));
        lines.add(String.join(
                "  ",
                "  " + number(verdict.written(), "written"),
                number(verdict.delivered(), "delivered"),
                number(verdict.lost(), "lost"),
                number(verdict.ghosts(), "ghosts"),
                number(verdict.outOfOrder(), "out of order"),
                number(verdict.duplicates(), "duplicates")));
        Percentiles latency = report.latency();
        lines.add("  from commit to consumer: p50 " + Format.millis(latency.p50()) + ", p99 "
                + Format.millis(latency.p99()) + ", longest " + Format.millis(latency.max()));
        lines.add("  " + report.database() + ", " + report.transport() + ", history kept for "
                + Format.span(report.config().retention()));
        if (verdict.duplicates() > 0 && report.chaosEvents() > 0) {
            lines.add("  Duplicates are what killed relays had sent and not yet settled; an inbox drops them.");
        }
        verdict.examples().stream().limit(EXAMPLES).forEach(example -> lines.add("  " + example));
        return lines;
    }

    private static List<String> broken(DemoReport report) {
        List<String> broken = new ArrayList<>();
        add(broken, report.verdict().lost(), "lost");
        add(broken, report.verdict().ghosts(), "delivered though rolled back");
        add(broken, report.verdict().outOfOrder(), "out of order");
        add(broken, report.pending(), "not delivered in time");
        add(broken, report.deadLetters(), "dead letters");
        return broken;
    }

    private static void add(List<String> broken, long count, String what) {
        if (count > 0) {
            broken.add(number(count, what));
        }
    }

    private static String number(long count, String what) {
        return Format.count(count) + " " + what;
    }

    private static String mark(Terminal terminal, String mark) {
        return terminal.unicode() ? mark : "";
    }
}
