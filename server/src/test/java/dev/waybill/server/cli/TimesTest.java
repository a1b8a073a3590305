package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TimesTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({
        "now, 2026-11-16T12:00:00Z",
        "NOW, 2026-11-16T12:00:00Z",
        "30m, 2026-11-16T11:30:00Z",
        "2h, 2026-11-16T10:00:00Z",
        "1d12h, 2026-11-15T00:00:00Z",
        "90s, 2026-11-16T11:58:30Z",
        "2026-11-16T08:30:00Z, 2026-11-16T08:30:00Z",
        "2026-11-16T08:30:00+02:00, 2026-11-16T06:30:00Z",
        "2026-11-16T08:30, 2026-11-16T07:30:00Z",
        "2026-11-16 08:30:15, 2026-11-16T07:30:15Z",
        "2026-11-16, 2026-11-15T23:00:00Z"
    })
    void momentsAreReadAsPeopleTypeThem(String typed, Instant meant) {
        assertThat(Times.parse(typed, NOW, ZONE)).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "yesterday", "2", "h", "2h ago", "-2h", "16.11.2026", "2026-13-01", "08:30", "999999999d"})
    void whatIsNoMomentIsRefusedWithExamples(String typed) {
        assertThatThrownBy(() -> Times.parse(typed, NOW, ZONE))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("now, 30m or 2h (ago)");
    }
}
