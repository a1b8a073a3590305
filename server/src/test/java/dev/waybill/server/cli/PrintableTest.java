package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

    @Test
    void escapeSequencesLoseTheirPower() {
        assertThat(Printable.of("\u001b[31mred\u001b[0m")).isEqualTo("\\x1b[31mred\\x1b[0m");
        assertThat(Printable.of("\u009b2J")).isEqualTo("\\x9b2J");
    }

    @Test
    void lineBreaksStayInTheLine() {
        assertThat(Printable.of("a\r\nb\tc\u2028d")).isEqualTo("a\\r\\nb\\tc\\u2028d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u202e", "\u2066", "\u200f", "\u200b", "\ufeff", "\u0000", "\u007f", "\ue000"})
    void whatIsInvisibleOrTurnsTheDirectionIsShownAsItsNumber(String sneaky) {
        assertThat(Printable.of("a" + sneaky + "b")).matches("a\\\\[xu][0-9a-f]+b");
    }

    @Test
    void lettersOfAllScriptsStay() {
        assertThat(Printable.of("Zoë 注文 заказ ไทย 😀")).isEqualTo("Zoë 注文 заказ ไทย 😀");
    }

    @Test
    void aTowerOfMarksIsCutDown() {
        assertThat(Printable.of("a" + "\u0301".repeat(50)).codePoints().filter(c -> c == 0x301))
                .hasSize(4);
    }

    @Test
    void wideCharactersCountTwiceAndMarksNotAtAll() {
        assertThat(Printable.width("ab")).isEqualTo(2);
        assertThat(Printable.width("注文")).isEqualTo(4);
        assertThat(Printable.width("😀")).isEqualTo(2);
        assertThat(Printable.width("e\u0301")).isEqualTo(1);
    }

    @Test
    void cuttingNeverGoesBeyondTheColumns() {
        assertThat(Printable.cut("abcdef", 6, "…")).isEqualTo("abcdef");
        assertThat(Printable.cut("abcdefg", 6, "…")).isEqualTo("abcde…");
        assertThat(Printable.cut("注文注文", 6, "…")).isEqualTo("注文…");
        assertThat(Printable.cut("😀😀😀", 4, "...")).isEqualTo("...");
    }
}
