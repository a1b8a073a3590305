package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Dead letters as a table, with no column that would be empty. */
final class LetterTable {
    private static final String NONE = "-";

    private static final List<Cell> CELLS = List.of(
            new Cell(
                    Column.number("SEQ"), letter -> Long.toString(letter.entry().sequence())),
            new Cell(Column.number("DIED"), letter -> Words.ago(letter.diedAt())),
            new Cell(Column.text("CONSUMER", 24), letter -> letter.consumer().orElse(NONE)),
            new Cell(Column.text("DESTINATION", 24), DeadLetter::publishedTo),
            new Cell(Column.text("SOURCE", 20), letter -> letter.sourceService().orElse(NONE)),
            new Cell(Column.text("KEY", 24), LetterTable::key),
            new Cell(Column.text("TYPE", 24), letter -> letter.entry().event().type()),
            new Cell(Column.text("SAGA", 24), letter -> letter.sagaId().orElse(NONE)),
            new Cell(
                    Column.text("CORRELATION", 24),
                    letter -> letter.correlationId().orElse(NONE)),
            new Cell(
                    Column.number("TRIED"),
                    letter -> Words.number(letter.entry().attempts())),
            new Cell(Column.number("REPLAYS"), letter -> letter.replays() == 0 ? NONE : Words.number(letter.replays())),
            new Cell(Column.text("STATE", 10), letter -> letter.state().name().toLowerCase(Locale.ROOT)),
            new Cell(Column.text("REASON", 60), LetterTable::reason));

    private LetterTable() {}

    static Table of(List<DeadLetter> letters) {
        List<Cell> shown = CELLS.stream()
                .filter(cell -> letters.stream()
                        .anyMatch(letter -> !cell.text.apply(letter).equals(NONE)))
                .toList();
        Table table = new Table(shown.stream().map(Cell::column).toArray(Column[]::new));
        for (DeadLetter letter : letters) {
            List<String> row = new ArrayList<>();
            shown.forEach(cell -> row.add(cell.text.apply(letter)));
            table.row(row.toArray(String[]::new));
        }
        return table;
    }

    private static String key(DeadLetter letter) {
        String key = letter.entry().event().key();
        return key == null ? NONE : key;
    }

    /** Without the packages of an exception, which would take the room of what it says. */
    private static String reason(DeadLetter letter) {
        String line = Words.firstLine(String.valueOf(letter.entry().lastError()));
        int end = Stream.of(line.indexOf(':'), line.indexOf(' '))
                .filter(index -> index > 0)
                .min(Integer::compare)
                .orElse(line.length());
        String name = line.substring(0, end);
        return name.matches("([a-z0-9_]+\\.)+[A-Za-z0-9_$]+") ? line.substring(name.lastIndexOf('.') + 1) : line;
    }

    private record Cell(Column column, Function<DeadLetter, String> text) {}
}
