package dev.waybill.server.ops;

import dev.waybill.event.Payload;
import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Table;
import java.util.List;

/** Keys, headers, errors and payloads on an operator's terminal: nothing in them moves the cursor or forges a line. */
public final class ScreenTarget implements FuzzTarget {
    private static final String ELLIPSIS = "...";

    @Override
    public void check(Input input) {
        String text = input.text();
        int columns = 3 + input.count();
        String shown = Printable.of(text);
        checkLine(shown);
        Expect.equal(Printable.of(shown), shown, "What is printable already");
        String cut = Printable.cut(shown, columns, ELLIPSIS);
        Expect.that(Printable.width(cut) <= columns, "It has " + Printable.width(cut) + " columns: " + cut);
        checkPayload(Payload.of(input.bytes()));
        List<String> lines = new Table(Table.Column.text("key", columns), Table.Column.whole("error"))
                .row(text, input.text())
                .lines(ELLIPSIS);
        Expect.equal(lines.size(), 2, "Lines of a row");
        lines.forEach(ScreenTarget::checkLine);
    }

    private static void checkPayload(Payload payload) {
        List<String> lines = PayloadView.lines(payload, ELLIPSIS);
        Expect.that(lines.size() <= PayloadView.MOST_LINES + 1, "It has " + lines.size() + " lines");
        lines.forEach(ScreenTarget::checkLine);
    }

    /** Stricter than for a log: nothing turns the direction of writing either. */
    private static void checkLine(String line) {
        Expect.oneLine(line);
        line.codePoints()
                .filter(codePoint -> Character.getType(codePoint) == Character.FORMAT)
                .findFirst()
                .ifPresent(codePoint -> Expect.that(false, "It has U+%04X".formatted(codePoint)));
    }
}
