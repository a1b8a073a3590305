package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.server.cli.Table.Column;
import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void numbersAreAlignedRightAndTextLeft() {
        Table table = new Table(Column.text("NAME", 10), Column.number("COUNT"), Column.whole("WHY"))
                .row("orders", "7", "because")
                .row("x", "1,000", "");
        assertThat(table.lines("…")).containsExactly("NAME    COUNT  WHY", "orders      7  because", "x       1,000");
    }

    @Test
    void longTextIsCutAndOnlyWhereItMayBe() {
        Table table = new Table(Column.text("KEY", 5), Column.whole("WHY")).row("abcdefgh", "a long story");
        assertThat(table.lines("…")).containsExactly("KEY    WHY", "abcd…  a long story");
        assertThat(table.lines("...").get(1)).isEqualTo("ab...  a long story");
    }

    @Test
    void wideCharactersKeepTheColumnsAligned() {
        Table table = new Table(Column.text("KEY", 10), Column.number("N"))
                .row("注文", "1")
                .row("e\u0301", "2")
                .row("abcd", "3");
        assertThat(table.lines("…")).containsExactly("KEY   N", "注文  1", "e\u0301     2", "abcd  3");
    }

    @Test
    void whatACellHoldsCannotMoveTheCursor() {
        Table table = new Table(Column.whole("KEY")).row("\u001b[2Ja\nb\u202e");
        assertThat(table.lines("…").get(1)).isEqualTo("\\x1b[2Ja\\nb\\u202e");
    }

    @Test
    void aRowHasACellForEveryColumn() {
        Table table = new Table(Column.whole("A"), Column.whole("B"));
        assertThatThrownBy(() -> table.row("1")).isInstanceOf(IllegalArgumentException.class);
    }
}
