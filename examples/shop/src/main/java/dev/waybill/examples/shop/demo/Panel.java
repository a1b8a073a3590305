package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.Backlog;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import dev.waybill.examples.shop.demo.Snapshot.Incident;
import dev.waybill.examples.shop.demo.Snapshot.Phase;
import dev.waybill.examples.shop.demo.Snapshot.RelayState;
import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lines of the live view, at most 80 columns wide and the same number as long as the number of relays is. */
final class Panel {
    static final int WIDTH = 80;
    static final int CHAOS_LINES = 4;
    static final int ERROR_LINES = 2;

    private static final int RELAYS_A_LINE = 3;
    private static final int MOST_RELAYS_SHOWN = 9;
    private static final int RELAY_WIDTH = 22;
    private static final int VALUE_WIDTH = 12;

    private final String title;
    private final String destination;
    private final DemoConfig config;
    private final Path log;
    private final Style style;
    private final boolean unicode;

    Panel(String database, DemoConfig config, Path log, Terminal terminal) {
        this.config = config;
        String relays = config.relays() == 1 ? "1 relay" : config.relays() + " relays each";
        title = database + ", " + relays + ", " + Format.perSecond(config.rate());
        destination = config.transport().equals(DemoConfig.KAFKA) ? "broker" : "services";
        this.log = log;
        style = new Style(terminal.color());
        unicode = terminal.unicode();
    }

    List<String> lines(Snapshot snapshot) {
        List<String> lines = new ArrayList<>();
        lines.add(head(snapshot));
        lines.add(rule());
        addFlow(lines, snapshot);
        lines.add("");
        addRelays(lines, snapshot);
        lines.add(consumer(snapshot));
        if (config.faults()) {
            addInbox(lines, snapshot.consumer());
        }
        lines.add(checks(snapshot.counts()));
        lines.add("");
        if (config.chaos() || config.faults()) {
            addIncidents(lines, config.chaos() ? "chaos" : "faults", snapshot.chaos(), CHAOS_LINES);
        }
        addIncidents(lines, "errors", snapshot.errors(), ERROR_LINES);
        lines.add(rule());
        lines.add(" " + foot(snapshot.phase()));
        lines.add(" " + style.dim("Log: " + log));
        return lines;
    }

    private String head(Snapshot snapshot) {
        String name = "Waybill demo";
        String right = title + "   " + Format.clock(snapshot.elapsed());
        return " " + style.bold(name) + " ".repeat(Math.max(2, WIDTH - 2 - name.length() - right.length())) + right;
    }

    private void addFlow(List<String> lines, Snapshot snapshot) {
        Counts counts = snapshot.counts();
        lines.add(row("written", counts.written())
                + left(Format.perSecond(snapshot.writtenPerSecond()), VALUE_WIDTH)
                + style.dim("rolled back on purpose " + Format.count(counts.rolledBack())));
        lines.add(row("delivered", counts.delivered())
                + left(Format.perSecond(snapshot.deliveredPerSecond()), VALUE_WIDTH)
                + style.good(Format.bars(snapshot.deliveredHistory(), 2.0 * config.rate(), unicode)));
        Backlog backlog = snapshot.backlog();
        lines.add(label("pending")
                + (backlog == null
                        ? style.warning("the database does not answer")
                        : right(Format.count(backlog.pending())) + "oldest " + Format.seconds(backlog.oldest())));
        lines.add(label("latency")
                + "last 5 s "
                + latency(snapshot.recent())
                + style.dim("   overall " + latency(snapshot.overall())));
    }

    private static String latency(Percentiles percentiles) {
        return percentiles.count() == 0
                ? "-"
                : "p50 " + Format.millis(percentiles.p50()) + "  p99 " + Format.millis(percentiles.p99());
    }

    private void addRelays(List<String> lines, Snapshot snapshot) {
        List<RelayState> relays = snapshot.relays();
        if (relays.size() > MOST_RELAYS_SHOWN) {
            lines.add(label("relays") + summary(relays));
            return;
        }
        for (int from = 0; from < relays.size(); from += RELAYS_A_LINE) {
            StringBuilder line = new StringBuilder(label(from == 0 ? "relays" : ""));
            relays.subList(from, Math.min(from + RELAYS_A_LINE, relays.size()))
                    .forEach(relay -> line.append(relay(relay)));
            lines.add(line.toString());
        }
    }

    private static String summary(List<RelayState> relays) {
        long alive = relays.stream().filter(RelayState::alive).count();
        int shards = relays.stream().mapToInt(RelayState::shards).sum();
        return alive + " alive, " + (relays.size() - alive) + " killed; they own " + shards + " shards";
    }

    private String relay(RelayState relay) {
        String text = relay.name() + (relay.alive() ? " owns " + relay.shards() : " killed");
        String padded = left(text, RELAY_WIDTH - 2);
        return relay.alive()
                ? style.good(unicode ? "● " : "* ") + padded
                : style.bad(unicode ? "✖ " : "x ") + style.bad(padded);
    }

    private String consumer(Snapshot snapshot) {
        return label(destination)
                + (snapshot.down() == null
                        ? style.good(unicode ? "● " : "* ") + "up"
                        : style.bad((unicode ? "✖ " : "x ") + snapshot.down() + " down"));
    }

    /** As many lines whether the database answers or not. */
    private void addInbox(List<String> lines, @Nullable ConsumerState consumer) {
        if (consumer == null) {
            lines.add(label("aside") + style.warning("the database does not answer"));
            lines.add(label("dead"));
            lines.add(label("breaker"));
            return;
        }
        lines.add(row("aside", consumer.aside())
                + "of " + Format.count(consumer.putAside()) + " put aside, "
                + Format.count(consumer.retries()) + " retries");
        String waiting = Format.count(consumer.resolved()) + " resolved, " + Format.count(consumer.behind())
                + " wait behind dead letters";
        lines.add(row("dead", consumer.dead()) + "open, " + waiting);
        boolean closed = consumer.breaker().equals("closed");
        lines.add(label("breaker")
                + (closed ? style.good(unicode ? "● " : "* ") : style.warning(unicode ? "✖ " : "x "))
                + consumer.breaker() + ", " + Format.count(consumer.deferred()) + " deferred");
    }

    private String checks(Counts counts) {
        return label("checked")
                + violations(counts.ghosts(), "ghosts")
                + violations(counts.outOfOrder(), "out of order")
                + Format.count(counts.duplicates()) + " duplicates";
    }

    private String violations(long count, String what) {
        String text = Format.count(count) + " " + what;
        return (count == 0 ? style.good(text) : style.bad(text)) + "   ";
    }

    /** Always as many lines as there may be, so that the panel does not jump. */
    private void addIncidents(List<String> lines, String label, List<Incident> incidents, int height) {
        List<Incident> last = incidents.subList(Math.max(0, incidents.size() - height), incidents.size());
        for (int i = 0; i < height; i++) {
            String text = i == 0 && last.isEmpty() ? style.dim("none so far") : "";
            if (i < last.size()) {
                Incident incident = last.get(last.size() - 1 - i);
                text = style.dim(Format.clock(incident.at())) + " " + cut(incident.what());
            }
            lines.add(label(i == 0 ? label : "") + text);
        }
    }

    private String foot(Phase phase) {
        return switch (phase) {
            case RUNNING -> style.dim("Ctrl-C stops and checks that everything arrived.");
            case DRAINING ->
                style.warning(
                        config.faults()
                                ? "All is mended; dead letters are replayed until every order took effect."
                                : "Writers have stopped; waiting until everything has arrived.");
            case DONE -> style.dim("Done.");
        };
    }

    private String rule() {
        return " " + style.dim((unicode ? "─" : "-").repeat(WIDTH - 2));
    }

    private String row(String label, long value) {
        return label(label) + right(Format.count(value));
    }

    private static String label(String label) {
        return String.format(Locale.ROOT, "  %-11s", label);
    }

    private static String right(String value) {
        return String.format(Locale.ROOT, "%9s   ", value);
    }

    private static String left(String value, int width) {
        return String.format(Locale.ROOT, "%-" + width + "s", value);
    }

    private static String cut(String text) {
        int room = WIDTH - 20;
        return text.length() <= room ? text : text.substring(0, room - 3) + "...";
    }
}
