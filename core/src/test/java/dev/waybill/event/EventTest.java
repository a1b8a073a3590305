package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {

    @Test
    void aTypeIsAllThatMustBeSet() {
        Event event = Event.to("orders").type("OrderPlaced").build();

        assertThat(event.id().version()).isEqualTo(7);
        assertThat(event.destination()).isEqualTo("orders");
        assertThat(event.key()).isNull();
        assertThat(event.version()).isEqualTo(1);
        assertThat(event.payload()).isEqualTo(Payload.empty());
        assertThat(event.contentType()).isEqualTo("application/octet-stream");
        assertThat(event.headers()).isEmpty();
        assertThat(event.occurredAt()).isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(event.availableAt()).isNull();
    }

    @Test
    void anEventWithoutATypeIsRefused() {
        assertThatThrownBy(() -> Event.to("orders").build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("type")
                .hasMessageContaining("missing");
    }

    @Test
    @SuppressWarnings("NullAway") // what callers without null checks pass
    void missingFieldsAreRefusedByName() {
        Event event = Event.to("orders").type("t").build();

        assertThatThrownBy(() -> Event.to(null).type("t").build()).hasMessageContaining("destination");
        assertThatThrownBy(() -> valid().payload((Payload) null).build()).hasMessageContaining("payload");
        assertThatThrownBy(() -> valid().contentType(null).build()).hasMessageContaining("contentType");
        assertThatThrownBy(() -> valid().header(null, "x")).hasMessageContaining("header name");
        assertThatThrownBy(() -> valid().header("x", null)).hasMessageContaining("header x");
        assertThatThrownBy(() -> withHeaders(event, null)).hasMessageContaining("headers");
        assertThatThrownBy(() ->
                        new Event(null, "orders", null, "t", 1, Payload.empty(), "a/b", Map.of(), Instant.now(), null))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("id");
        assertThatThrownBy(() ->
                        new Event(event.id(), "orders", null, "t", 1, Payload.empty(), "a/b", Map.of(), null, null))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("occurredAt");
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullsInAHeaderMapAreRefused() {
        Map<String, String> nullName = new HashMap<>();
        nullName.put(null, "x");
        Map<String, String> nullValue = new HashMap<>();
        nullValue.put("x", null);

        assertThatThrownBy(() -> withHeaders(valid().build(), nullName)).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> withHeaders(valid().build(), nullValue)).isInstanceOf(InvalidEventException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "eu.orders-v2", "a:b/c$d_e", "_x", "9", "com.shop.Order$Placed"})
    void usualNamesAreAllowed(String name) {
        assertThatCode(() -> Event.to(name).type(name).build()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                ".a",
                "-a",
                "/etc",
                "a\n",
                "a\0",
                "a\r\nHost: x",
                "ö",
                "a'; DROP TABLE waybill_outbox;--",
                "a?b",
                "a#b",
                "a*",
                "{a}",
                "<script>",
                "\uD83D\uDE9A"
            })
    void hostileNamesAreRefused(String name) {
        assertThatThrownBy(() -> Event.to(name).type("t").build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("destination")
                .hasMessageContaining("1 to 200");
        assertThatThrownBy(() -> valid().type(name).build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("type");
        assertThatThrownBy(() -> valid().header(name, "x"))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("header name");
    }

    @Test
    void namesHaveALongestLength() {
        assertThatCode(() -> Event.to("n".repeat(200)).type("n".repeat(200)).build())
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Event.to("n".repeat(201)).type("t").build()).hasMessageContaining("200");
        assertThatThrownBy(() -> valid().type("n".repeat(201)).build()).hasMessageContaining("200");
        assertThatCode(() -> valid().header("n".repeat(128), "x")).doesNotThrowAnyException();
        assertThatThrownBy(() -> valid().header("n".repeat(129), "x")).hasMessageContaining("128");
    }

    @ParameterizedTest
    @ValueSource(strings = {"o-1", " ", "注文", "\uD83D\uDE9A", "a\nb", "'; DROP TABLE x;--"})
    void aKeyIsAnyText(String key) {
        assertThat(valid().key(key).build().key()).isEqualTo(key);
    }

    @Test
    void keysThatADatabaseCannotKeepApartAreRefused() {
        assertThatThrownBy(() -> valid().key("").build()).hasMessageContaining("key");
        assertThatThrownBy(() -> valid().key("a\0b").build()).hasMessageContaining("NUL");
        assertThatThrownBy(() -> valid().key("a\uD83D").build()).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> valid().key("\uDE9Aa").build()).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> valid().key("\uDE9A\uD83D").build()).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> valid().key("\uD83D\uD83D\uDE9A").build()).hasMessageContaining("surrogate");
    }

    @Test
    void aKeyHasALongestLength() {
        assertThatCode(() -> valid().key("k".repeat(255)).build()).doesNotThrowAnyException();
        assertThatThrownBy(() -> valid().key("k".repeat(256)).build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("255");
    }

    @Test
    void headerValuesAreTextOfALimitedLength() {
        assertThatCode(() -> valid().header("x", "v".repeat(8192))).doesNotThrowAnyException();
        assertThatCode(() -> valid().header("x", "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> valid().header("x", "v".repeat(8193))).hasMessageContaining("8192");
        assertThatThrownBy(() -> valid().header("x", "a\0")).hasMessageContaining("NUL");
        assertThatThrownBy(() -> valid().header("x", "a\r\nx-other: b")).hasMessageContaining("line breaks");
        assertThatThrownBy(() -> valid().header("x", "\uD83D")).hasMessageContaining("surrogate");
    }

    @Test
    void messagesNeverShowAWholeLongValue() {
        assertThatThrownBy(() -> valid().key("k".repeat(5000)).build())
                .hasMessageContaining("5000 characters")
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(300));
    }

    @Test
    void headersKeepTheirOrderAndCannotBeChanged() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("b", "2");
        headers.put("a", "1");
        Event event = withHeaders(valid().build(), headers);

        headers.put("c", "3");

        assertThat(event.headers().keySet()).containsExactly("b", "a");
        assertThatThrownBy(() -> event.headers().put("c", "3")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aBuilderThatGoesOnDoesNotChangeWhatItBuilt() {
        Event.Builder builder = valid().header("a", "1");
        Event first = builder.build();

        builder.header("b", "2");

        assertThat(first.headers()).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void versionsStartAtOne(int version) {
        assertThatThrownBy(() -> valid().version(version).build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("versions start at 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " text/plain", "text/plain\r\nX: y", "ü/ü"})
    void hostileContentTypesAreRefused(String contentType) {
        assertThatThrownBy(() -> valid().contentType(contentType).build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("contentType");
    }

    @Test
    void timesAreKeptInMicroseconds() {
        Instant precise = Instant.parse("2026-01-02T03:04:05.123456789Z");
        Event event = valid().occurredAt(precise).availableAt(precise).build();

        assertThat(event.occurredAt()).isEqualTo(Instant.parse("2026-01-02T03:04:05.123456Z"));
        assertThat(event.availableAt()).isEqualTo(Instant.parse("2026-01-02T03:04:05.123456Z"));
    }

    @Test
    void timesThatNoDatabaseStoresAreRefused() {
        for (Instant time : Arrays.asList(
                Instant.MIN, Instant.MAX, Instant.EPOCH.minusNanos(1), Instant.parse("9999-12-31T00:00:01Z"))) {
            assertThatThrownBy(() -> valid().occurredAt(time).build()).hasMessageContaining("occurredAt");
            assertThatThrownBy(() -> valid().availableAt(time).build()).hasMessageContaining("availableAt");
        }
    }

    @Test
    void aDelayCountsFromNow() {
        Event event = valid().availableIn(Duration.ofHours(1)).build();

        assertThat(event.availableAt())
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(59)),
                        Instant.now().plus(Duration.ofMinutes(61)));
    }

    @Test
    void aDelayBeyondAllTimesIsRefusedLikeATimeThatIs() {
        for (Duration delay : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> valid().availableIn(delay).build())
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("availableAt");
        }
    }

    @Test
    void aRefusalTakesOneLineWhateverItRefuses() {
        assertThatThrownBy(() -> Event.to("orders\nERROR forged\u0085\u2028\u001b[31m")
                        .type("t")
                        .build())
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("orders\\nERROR forged\\u0085\\u2028\\u001b[31m");
    }

    @Test
    void jsonIsUtf8WithItsContentType() {
        Event event = valid().json("{\"a\":\"ü\"}").build();

        assertThat(event.payload().utf8()).isEqualTo("{\"a\":\"ü\"}");
        assertThat(event.contentType()).isEqualTo("application/json");
    }

    @Test
    void eventsWithEqualFieldsAreEqual() {
        UUID id = UUID.fromString("00000000-0000-7000-8000-000000000001");
        Instant time = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(valid().id(id).occurredAt(time).payload(new byte[] {1}).build())
                .isEqualTo(
                        valid().id(id).occurredAt(time).payload(new byte[] {1}).build());
    }

    private static Event.Builder valid() {
        return Event.to("orders").type("t");
    }

    private static Event withHeaders(Event event, Map<String, String> headers) {
        return new Event(
                event.id(),
                event.destination(),
                event.key(),
                event.type(),
                event.version(),
                event.payload(),
                event.contentType(),
                headers,
                event.occurredAt(),
                event.availableAt());
    }
}
