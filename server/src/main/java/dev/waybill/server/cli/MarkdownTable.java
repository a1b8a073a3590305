package dev.waybill.server.cli;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table whose columns are aligned in the text, too. Not thread-safe. */
public final class MarkdownTable {
    private final List<List<String>> rows = new ArrayList<>();

    public MarkdownTable(String... titles) {
        rows.add(List.of(titles));
    }

    public MarkdownTable row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public List<String> lines() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("|");
            for (int i = 0; i < columns; i++) {
                line.append(' ')
                        .append(row.get(i))
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(" |");
            }
            lines.add(line.toString());
        }
        StringBuilder rule = new StringBuilder("|");
        for (int width : widths) {
            rule.append("-".repeat(width + 2)).append('|');
        }
        lines.add(1, rule.toString());
        return lines;
    }
}
