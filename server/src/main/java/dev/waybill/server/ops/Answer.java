package dev.waybill.server.ops;

import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Terminal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command has to say: text for people, figures for programs. Used by one thread. */
final class Answer {
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";
    private static final String CLEAR_REST_OF_LINE = "\u001b[K";

    private final Terminal terminal;
    private final Style style;
    private final @Nullable JsonTarget json;

    Answer(Terminal terminal, @Nullable JsonTarget json) {
        this.terminal = terminal;
        this.json = json;
        style = new Style(terminal.color());
        if (json != null) {
            json.requireWritable();
        }
    }

    /** A line of our own words; what comes from outside has to be made {@linkplain Printable printable} before. */
    void line(String text) {
        if (isText()) {
            terminal.out().println(text);
        }
    }

    void good(String text) {
        line(style.good(text));
    }

    void warning(String text) {
        line(style.warning(text));
    }

    void table(Table table) {
        List<String> lines = table.lines(ellipsis());
        line(style.bold(lines.get(0)));
        lines.subList(1, lines.size()).forEach(this::line);
    }

    /** A named value, indented; the value is made printable. */
    void field(String name, String value) {
        String line = String.format(java.util.Locale.ROOT, "  %-14s%s", name, Printable.of(value));
        line(line.stripTrailing());
    }

    /** A named text in several lines, each of which is made printable. */
    void fieldLines(String name, String text) {
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            field(i == 0 ? name : "", lines[i]);
        }
    }

    /** To be called once: the JSON of a command is one object. */
    void figures(Figures figures) {
        if (json != null) {
            json.write(terminal.out(), figures);
        }
    }

    /** Shows how far a long work has come, in one line that is written again and again; only to a person. */
    void progress(String text) {
        if (terminal.interactive()) {
            terminal.err().print("\r" + text + CLEAR_REST_OF_LINE);
            terminal.err().flush();
        }
    }

    void endProgress() {
        progress("");
    }

    /** Begins anew, for a view that is refreshed. */
    void clear() {
        if (terminal.interactive() && isText()) {
            terminal.out().print(CLEAR_SCREEN);
        } else {
            line("");
        }
    }

    String ellipsis() {
        return terminal.unicode() ? "…" : "...";
    }

    /** Standard output is for one of both. */
    private boolean isText() {
        return json == null || !json.isStandardOutput();
    }
}
