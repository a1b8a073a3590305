package dev.waybill.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "\t\n", "two\nlines", "nul \0", "bell \u0007", "delete \u007f", "c1 \u0085 control"})
    void aNameIsOneLineThatCanBeRead(String who) {
        assertThatThrownBy(() -> Signature.of(who, "why"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 200");
    }

    @Test
    void aNameHasUpTo200Characters() {
        assertThat(Signature.of("x".repeat(200), "").who()).hasSize(200);
        assertThatThrownBy(() -> Signature.of("x".repeat(201), "")).hasMessageContaining("found 201");
    }

    @Test
    void aReasonMayBeEmptyAndHaveLinesAndUpTo2000Characters() {
        assertThat(Signature.of("me", "").why()).isEmpty();
        assertThat(Signature.of("me", "one\ntwo\t3").why()).isEqualTo("one\ntwo\t3");
        assertThat(Signature.of("me", "x".repeat(2000)).why()).hasSize(2000);
        assertThatThrownBy(() -> Signature.of("me", "x".repeat(2001))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Signature.of("me", "nul \0 char")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void blanksAroundAreNoPartOfIt() {
        assertThat(new Signature("  Zoë\t", "\n because ")).isEqualTo(Signature.of("Zoë", "because"));
        assertThat(Signature.of("x".repeat(200) + "  ", " ".repeat(5000))).isEqualTo(Signature.of("x".repeat(200), ""));
    }
}
