package dev.waybill.examples.shop.demo;

import java.io.PrintStream;
import java.util.List;

/** Redraws a panel in place, below whatever the terminal showed before. */
final class PanelView implements DemoView {
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    // A wrapped line would take two rows, and the next redraw would start one too low.
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";
    private static final String CLEAR_REST_OF_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintStream out;
    private final Panel panel;
    private int drawn;
    private boolean open;

    PanelView(PrintStream out, Panel panel) {
        this.out = out;
        this.panel = panel;
    }

    @Override
    public void show(Snapshot snapshot) {
        List<String> lines = panel.lines(snapshot);
        StringBuilder text = new StringBuilder();
        if (!open) {
            text.append(HIDE_CURSOR).append(NO_WRAP);
            open = true;
        }
        if (drawn > 0) {
            text.append("\u001b[").append(drawn).append("A\r");
        }
        for (String line : lines) {
            text.append(line).append(CLEAR_REST_OF_LINE).append('\n');
        }
        text.append(CLEAR_BELOW);
        drawn = lines.size();
        out.print(text);
        out.flush();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            out.print(WRAP + SHOW_CURSOR);
            out.flush();
        }
    }
}
