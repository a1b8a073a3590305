package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {

    @Test
    void whatBreaksALineOrMovesACursorIsShownAsItsNumber() {
        assertThat(OneLine.of("a\nb\r\tc\u001b[31md\u0085e\u2028f\u2029g\u202eh\u0000i"))
                .isEqualTo("a\\nb\\r\\tc\\u001b[31md\\u0085e\\u2028f\\u2029g\\u202eh\\u0000i");
    }

    @Test
    void allElseStaysAsItIs() {
        String text = "Größe – 数量 🚚 \\n";
        assertThat(OneLine.of(text)).isSameAs(text);
    }

    @Test
    void ofSeveralLinesTheFirstIsEnough() {
        assertThat(OneLine.first("java.lang.Exception: no\u001b\n  at here"))
                .isEqualTo("java.lang.Exception: no\\u001b");
        assertThat(OneLine.first("")).isEmpty();
    }
}
