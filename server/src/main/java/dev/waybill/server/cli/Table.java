package dev.waybill.server.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows in aligned columns. Every cell is made printable here, so that no command can forget it. */
public final class Table {
    private static final String GAP = "  ";

    /**
     * A column.
     *
     * @param widest longer cells are cut
     */
    public record Column(String title, boolean right, int widest) {
        public static Column text(String title, int widest) {
            return new Column(title, false, widest);
        }

        public static Column number(String title) {
            return new Column(title, true, Integer.MAX_VALUE);
        }

        /** For the last column of a table. */
        public static Column whole(String title) {
            return new Column(title, false, Integer.MAX_VALUE);
        }
    }

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(Column... columns) {
        this.columns = List.of(columns);
    }

    public Table row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Title and rows, without spaces at the ends of lines. */
    public List<String> lines(String ellipsis) {
        List<List<String>> all = new ArrayList<>();
        all.add(columns.stream().map(Column::title).toList());
        rows.forEach(row -> all.add(printable(row, ellipsis)));
        int[] widths = new int[columns.size()];
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Printable.width(row.get(i)));
            }
        }
        return all.stream().map(row -> line(row, widths)).toList();
    }

    private List<String> printable(List<String> row, String ellipsis) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            cells.add(Printable.cut(Printable.of(row.get(i)), columns.get(i).widest(), ellipsis));
        }
        return cells;
    }

    private String line(List<String> row, int[] widths) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String space = String.join("", Collections.nCopies(widths[i] - Printable.width(cell), " "));
            cells.add(columns.get(i).right() ? space + cell : cell + space);
        }
        return String.join(GAP, cells).stripTrailing();
    }
}
