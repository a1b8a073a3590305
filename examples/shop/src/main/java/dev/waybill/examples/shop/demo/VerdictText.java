package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Terminal;
import dev.waybill.testkit.check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
                number(verdict.delivered(), "delivered"),
                number(verdict.lost(), "lost"),
                number(verdict.ghosts(), "ghosts"),
                number(verdict.outOfOrder(), "out of order"),
                number(report.doubled(), "doubled")));
        if (report.consumer() != null) {
            lines.add("  " + faults(report.consumer()));
        }
        lines.add("  " + latency("from commit to the next service", report.latency()));
        lines.add("  " + latency("from order to outcome", report.roundTrip()));
        lines.add("  " + memory(report.heap()));
        lines.add("  " + report.database() + ", " + report.transport() + ", history kept for "
                + Format.span(report.config().retention()));
        if (verdict.duplicates() > 0) {
            lines.add("  " + Format.count(verdict.duplicates(), "delivery", "deliveries")
                    + " came again, as after a crash they may; the inboxes knew them.");
        }
        verdict.examples().stream().limit(EXAMPLES).forEach(example -> lines.add("  " + example));
        return lines;
    }

    private static String promise(DemoReport report) {
        return report.consumer() == null
                ? "Every committed order took effect once in every service, in order, and nothing else did."
                : "Every committed order took effect once, in order, although payments failed.";
    }

    private static String latency(String what, Percentiles latency) {
        return what + ": p50 " + Format.millis(latency.p50()) + ", p99 " + Format.millis(latency.p99()) + ", longest "
                + Format.millis(latency.max());
    }

    private static String memory(HeapUse heap) {
        String end = "heap in use at the end: " + Format.megabytes(heap.end());
        return heap.firstMinute() == 0
                ? end
                : end + ", after the first minute " + Format.megabytes(heap.firstMinute())
                        + String.format(Locale.ROOT, " (x %.2f)", heap.ratio());
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
        add(broken, report.verdict().ghosts(), "effects of what was rolled back");
        add(broken, report.verdict().outOfOrder(), "out of order");
        add(broken, report.pending(), "not delivered in time");
        add(broken, report.deadLetters(), "dead letters");
        add(broken, report.doubled(), "doubled");
        if (!report.isMemoryFlat()) {
            broken.add("memory grew");
        }
        ConsumerState consumer = report.consumer();
        if (consumer != null) {
            add(broken, consumer.dead(), "still dead letters of payments");
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
