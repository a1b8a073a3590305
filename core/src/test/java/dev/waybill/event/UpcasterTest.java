package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UpcasterTest {

    @Test
    void upcastersLeadFromVersionToVersion() {
        EventTypes types = EventTypes.builder()
                .upcast("OrderPlaced", 1, adding(" to v2"))
                .upcast("OrderPlaced", 2, adding(" to v3"))
                .upcast("OrderPaid", 1, adding(" never"))
                .build();

        Event newest = types.upcast(event(1));

        assertThat(newest.version()).isEqualTo(3);
        assertThat(newest.payload()).isEqualTo(Payload.utf8("order to v2 to v3"));
        assertThat(newest.headers()).isEqualTo(event(1).headers());
        assertThat(types.upcast(event(2)).payload()).isEqualTo(Payload.utf8("order to v3"));
        assertThat(types.upcast(event(3))).isEqualTo(event(3));
        assertThat(types.upcast(event(7))).as("newer than known").isEqualTo(event(7));
    }

    @Test
    void aValueIsDecodedInItsNewestVersion() {
        EventTypes types = EventTypes.builder()
                .register("OrderPlaced", 2, String.class, new Text())
                .upcast("OrderPlaced", 1, adding(" to v2"))
                .build();

        assertThat(types.decode(event(1))).isEqualTo("order to v2");
    }

    @Test
    void anUpcasterThatFailsOrMakesAnotherEventIsNamed() {
        EventTypes failing = EventTypes.builder()
                .upcast("OrderPlaced", 1, older -> {
                    throw new IllegalStateException("no currency");
                })
                .build();
        EventTypes standing =
                EventTypes.builder().upcast("OrderPlaced", 1, older -> older).build();
        EventTypes other = EventTypes.builder()
                .upcast(
                        "OrderPlaced",
                        1,
                        older -> Event.to("orders")
                                .type("OrderPlaced")
                                .version(2)
                                .build())
                .build();

        assertThatThrownBy(() -> failing.upcast(event(1)))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("OrderPlaced v1")
                .hasMessageContaining("no currency");
        assertThatThrownBy(() -> standing.upcast(event(1)))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("next version");
        assertThatThrownBy(() -> other.upcast(event(1))).isInstanceOf(PayloadCodecException.class);
    }

    @Test
    void aVersionHasOneUpcaster() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventTypes.builder()
                        .upcast("OrderPlaced", 1, adding(""))
                        .upcast("OrderPlaced", 1, adding("")))
                .withMessageContaining("OrderPlaced v1");
    }

    private static Upcaster adding(String text) {
        return Upcaster.ofPayload(
                old -> (new String(old, StandardCharsets.UTF_8) + text).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @SuppressWarnings("NullAway") // an upcaster may be written without NullAway
    void anUpcasterThatReturnsNothingHasFailed() {
        EventTypes types =
                EventTypes.builder().upcast("OrderPlaced", 1, older -> null).build();

        assertThatThrownBy(() -> types.upcast(event(1)))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("OrderPlaced");
    }

    @Test
    void aCodecThatReturnsNothingHasFailed() {
        EventTypes types = EventTypes.builder()
                .register("OrderPlaced", 1, String.class, new Nothing())
                .build();

        assertThatThrownBy(() -> types.decode(event(1)))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("OrderPlaced");
    }

    /** As a JSON codec answers the payload {@code null}. */
    private static final class Nothing implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return new byte[0];
        }

        @Override
        @SuppressWarnings("NullAway") // a codec may be written without NullAway
        public <T> T decode(byte[] bytes, Class<T> type) {
            return null;
        }
    }

    private static Event event(int version) {
        return Event.to("orders")
                .id(new java.util.UUID(1, 1))
                .occurredAt(java.time.Instant.EPOCH)
                .type("OrderPlaced")
                .version(version)
                .payload(Payload.utf8("order"))
                .header("x", "y")
                .build();
    }

    private static final class Text implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return type.cast(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
