package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.Payload;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CorrectionTest {
    private static final Event EVENT = Event.to("orders")
            .key("o-1")
            .type("OrderPlaced")
            .version(2)
            .json("{}")
            .header("a", "1")
            .availableAt(Instant.parse("2026-01-01T00:00:00Z"))
            .build();

    @Test
    void whatIsNotCorrectedStaysAsItIs() {
        assertThat(Correction.none().of(EVENT)).isEqualTo(EVENT);
    }

    @Test
    void whatIsCorrectedIsDifferent() {
        Event corrected = Correction.none()
                .withType("OrderChanged", 3)
                .withPayload(Payload.empty())
                .withContentType("text/plain")
                .withHeaders(Map.of("b", "2"))
                .of(EVENT);

        assertThat(corrected)
                .isEqualTo(new Event(
                        EVENT.id(),
                        EVENT.destination(),
                        EVENT.key(),
                        "OrderChanged",
                        3,
                        Payload.empty(),
                        "text/plain",
                        Map.of("b", "2"),
                        EVENT.occurredAt(),
                        EVENT.availableAt()));
    }

    @Test
    void headersAreReplacedAsAWhole() {
        assertThat(Correction.none().withHeaders(Map.of()).of(EVENT).headers()).isEmpty();
    }

    @Test
    void headersAreCopied() {
        Map<String, String> headers = new HashMap<>(Map.of("b", "2"));
        Correction correction = Correction.none().withHeaders(headers);

        headers.clear();

        assertThat(correction.of(EVENT).headers()).containsExactly(Map.entry("b", "2"));
    }

    @Test
    void whatWouldNotBeAnEventIsRefused() {
        assertRefused(Correction.none().withType("", 1));
        assertRefused(Correction.none().withType("no blanks", 1));
        assertRefused(Correction.none().withType("t".repeat(201), 1));
        assertRefused(Correction.none().withType("nul\0", 1));
        assertRefused(Correction.none().withType("t", 0));
        assertRefused(Correction.none().withContentType(""));
        assertRefused(Correction.none().withContentType("c".repeat(101)));
        assertRefused(Correction.none().withHeaders(Map.of("", "x")));
        assertRefused(Correction.none().withHeaders(Map.of("x", "nul \0")));
        assertRefused(Correction.none().withHeaders(Map.of("x", "line\nbreak")));
        assertRefused(Correction.none().withHeaders(Map.of("x", "x".repeat(8193))));
    }

    private static void assertRefused(Correction correction) {
        assertThatThrownBy(() -> correction.of(EVENT)).isInstanceOf(InvalidEventException.class);
    }
}
