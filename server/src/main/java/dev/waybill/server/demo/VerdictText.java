package dev.waybill.server.demo;

import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.demo.Snapshot.ConsumerState;
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
                        ? style.good(mark(terminal, "✔ ") + promise(report))
                        : style.bad(
                                mark(terminal, "✖ ") + "Not as promised: " + String.join(", ", broken(report)) + "."));
        lines.add(String.join(
                "  ",
                "  " + number(verdict.written(), "written"),
                number(verdict.delivered(), report.consumer() == null ? "delivered" : "took effect"),
                number(verdict.lost(), "lost"),
                number(verdict.ghosts(), "ghosts"),
                number(verdict.outOfOrder(), "out of order"),
                number(verdict.duplicates(), report.consumer() == null ? "duplicates" : "doubled")));
        if (report.consumer() != null) {
            lines.add("  " + faults(report.consumer()));
        }
        Percentiles latency = report.latency();
        lines.add("  from commit to consumer: p50 " + Format.millis(latency.p50()) + ", p99 "
                + Format.millis(latency.p99()) + ", longest " + Format.millis(latency.max()));
        lines.add("  " + report.database() + ", " + report.transport() + ", history kept for "
                + Format.span(report.config().retention()));
        if (verdict.duplicates() > 0 && report.chaosEvents() > 0 && report.consumer() == null) {
            lines.add("  Duplicates are what killed relays had sent and not yet settled; an inbox drops them.");
        }
        verdict.examples().stream().limit(EXAMPLES).forEach(example -> lines.add("  " + example));
        return lines;
    }

    private static String promise(DemoReport report) {
        return report.consumer() == null
                ? "Every committed event arrived, in order, and nothing else did."
                : "Every committed order took effect once, in order, although the consumer failed.";
    }

    private static String faults(ConsumerState consumer) {
        long dead = consumer.resolved() + consumer.dead();
        String resolved = consumer.dead() == 0 ? "all" : Format.count(consumer.resolved());
        return String.join(
                "  ",
                Format.count(consumer.outages(), "outage"),
                number(consumer.retries(), "retries"),
                number(consumer.putAside(), "put aside"),
                Format.count(dead, "dead letter") + (dead == 0 ? "" : ", " + resolved + " replayed and resolved"));
    }

    private static List<String> broken(DemoReport report) {
        List<String> broken = new ArrayList<>();
        add(broken, report.verdict().lost(), "lost");
        add(broken, report.verdict().ghosts(), "delivered though rolled back");
        add(broken, report.verdict().outOfOrder(), "out of order");
        add(broken, report.pending(), "not delivered in time");
        add(broken, report.deadLetters(), "dead letters");
        ConsumerState consumer = report.consumer();
        if (consumer != null) {
            add(broken, report.verdict().duplicates(), "doubled");
            add(broken, consumer.dead(), "still dead letters of the consumer");
            add(broken, consumer.aside() + consumer.behind(), "not handled in time");
        }
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
