package dev.waybill.server.scenario;

import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Style;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Tells the story step by step, and keeps what was claimed and measured. Used by one thread. */
final class Narrator {
    private static final String INDENT = "   ";
    private static final int WIDTH = 77;

    private final Terminal terminal;
    private final Style style;
    private final Pace pace;
    private final boolean guided;
    private final List<Figures> steps = new ArrayList<>();
    private final List<Figures> claims = new ArrayList<>();
    private boolean broken;

    Narrator(Terminal terminal, Pace pace, boolean guided) {
        this.terminal = terminal;
        this.pace = pace;
        this.guided = guided;
        style = new Style(terminal.color());
    }

    /**
     * Plays one step.
     *
     * @param name  one word
     * @param title what happens, in a few words
     * @param plan  what will happen and why, for who is guided
     */
    void step(String name, String title, String plan, Runnable action) {
        int number = steps.size() + 1;
        line("");
        line(style.bold(number + ". " + capital(name) + ": " + title));
        if (guided) {
            wrapped(plan).forEach(this::say);
            terminal.out().print(INDENT + style.dim("Enter to go on "));
            terminal.out().flush();
            pace.awaitEnter();
            if (!terminal.interactive()) {
                line("");
            }
        }
        claims.clear();
        long start = System.nanoTime();
        boolean held = false;
        try {
            action.run();
            held = true;
        } finally {
            steps.add(new Figures()
                    .with("number", number)
                    .with("name", name)
                    .with("title", title)
                    .with("holds", held)
                    .with("seconds", Duration.ofNanos(System.nanoTime() - start))
                    .with("checks", List.copyOf(claims)));
        }
    }

    /** Says that something is so, after having looked; ends the scenario if it is not. */
    void check(boolean holds, String claim, Supplier<String> found) {
        if (holds) {
            claims.add(new Figures().with("claim", claim).with("holds", true));
            line(INDENT + style.good(mark("✔", "ok:")) + " " + claim);
            return;
        }
        String instead = found.get();
        claims.add(new Figures().with("claim", claim).with("holds", false).with("found", instead));
        broken = true;
        line(INDENT + style.bad(mark("✖", "FAILED:") + " " + claim));
        line(INDENT + "  Found: " + Printable.of(instead));
        throw new BrokenClaimException(claim);
    }

    /** Compares what is with what should be. */
    void checkEqual(Object found, Object expected, String claim) {
        check(found.equals(expected), claim, found::toString);
    }

    void say(String text) {
        line((INDENT + text).stripTrailing());
    }

    void table(Table table) {
        table.lines(ellipsis()).forEach(row -> line(INDENT + row));
    }

    void fields(Map<String, String> fields) {
        fields.forEach((name, value) ->
                line((INDENT + String.format(Locale.ROOT, "%-16s%s", name, Printable.of(value))).stripTrailing()));
    }

    boolean holds() {
        return !broken;
    }

    List<Figures> steps() {
        return List.copyOf(steps);
    }

    void line(String text) {
        terminal.out().println(text);
    }

    String good(String text) {
        return style.good(mark("✔ ", "") + text);
    }

    String bad(String text) {
        return style.bad(mark("✖ ", "") + text);
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() >= WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private String ellipsis() {
        return terminal.unicode() ? "…" : "...";
    }

    private String mark(String unicode, String ascii) {
        return terminal.unicode() ? unicode : ascii;
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
