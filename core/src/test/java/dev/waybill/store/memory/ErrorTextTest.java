package dev.waybill.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void ordinaryTextStaysAsItIs() {
        assertThat(ErrorText.storable("")).isEmpty();
        assertThat(ErrorText.storable("fehlgeschlagen: \uD83D\uDE9A ü\n"))
                .isEqualTo("fehlgeschlagen: \uD83D\uDE9A ü\n");
    }

    @Test
    void whatADatabaseRefusesIsReplaced() {
        assertThat(ErrorText.storable("a\0b\uD83Dc\uDE9A\uD83D")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD\uFFFD");
    }

    @Test
    void longTextIsCutButNotWithinACharacter() {
        assertThat(ErrorText.storable("e".repeat(5000))).isEqualTo("e".repeat(2000));
        assertThat(ErrorText.storable("e".repeat(1999) + "\uD83D\uDE9A")).isEqualTo("e".repeat(1999));
        assertThat(ErrorText.storable("e".repeat(1998) + "\uD83D\uDE9A")).isEqualTo("e".repeat(1998) + "\uD83D\uDE9A");
    }
}
