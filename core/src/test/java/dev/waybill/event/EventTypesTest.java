package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventTypesTest {
    private record Placed(String text) {}

    private record PlacedV2(String text) {}

    /** Encodes {@code toString()}; "broken" cannot be encoded, and what does not start with "Placed" not decoded. */
    private static final class TextCodec implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) throws Exception {
            if (value.toString().contains("broken")) {
                throw new java.io.IOException("cannot write this");
            }
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (!text.startsWith("Placed")) {
                throw new IllegalStateException("cannot read this");
            }
            return type.cast(type == Placed.class ? new Placed(text) : new PlacedV2(text));
        }
    }

    private final PayloadCodec codec = new TextCodec();
    private final EventTypes types = EventTypes.builder()
            .register("OrderPlaced", 1, Placed.class, codec)
            .register("OrderPlaced", 2, PlacedV2.class, codec)
            .build();

    @Test
    void aValueBecomesAnEventOfItsTypeAndVersionAndComesBack() {
        Event event = types.event("orders", new PlacedV2("x")).key("o-1").build();

        assertThat(event.type()).isEqualTo("OrderPlaced");
        assertThat(event.version()).isEqualTo(2);
        assertThat(event.contentType()).isEqualTo("text/plain");
        assertThat(types.decode(event)).isInstanceOf(PlacedV2.class);
    }

    @Test
    void theVersionDecidesAboutTheClass() {
        Event event = Event.to("orders")
                .type("OrderPlaced")
                .payload(Payload.utf8("Placed"))
                .build();

        assertThat(types.decode(event)).isInstanceOf(Placed.class);
    }

    @Test
    void anUnknownClassIsAnError() {
        assertThatThrownBy(() -> types.event("orders", "a string"))
                .isInstanceOf(UnknownEventTypeException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("register");
    }

    @Test
    void anUnknownTypeOrVersionIsAnErrorThatNamesTheKnownOnes() {
        Event otherType = Event.to("orders").type("OrderLost").build();
        Event otherVersion = Event.to("orders").type("OrderPlaced").version(3).build();

        assertThatThrownBy(() -> types.decode(otherType))
                .isInstanceOf(UnknownEventTypeException.class)
                .hasMessageContaining("OrderLost v1")
                .hasMessageContaining("[OrderPlaced v1, OrderPlaced v2]")
                .hasMessageContaining(otherType.id().toString());
        assertThatThrownBy(() -> types.decode(otherVersion))
                .isInstanceOf(UnknownEventTypeException.class)
                .hasMessageContaining("OrderPlaced v3");
    }

    @Test
    void aPayloadThatCannotBeDecodedIsAnErrorThatNamesTheEventAndTheType() {
        Event event = Event.to("orders")
                .type("OrderPlaced")
                .payload(Payload.utf8("garbage"))
                .build();

        assertThatThrownBy(() -> types.decode(event))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining(event.id().toString())
                .hasMessageContaining("OrderPlaced v1")
                .hasMessageContaining("cannot read this")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aValueThatCannotBeEncodedIsAnErrorThatNamesTheType() {
        assertThatThrownBy(() -> types.event("orders", new Placed("broken")))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("OrderPlaced v1")
                .hasCauseInstanceOf(java.io.IOException.class);
    }

    @Test
    void aTypeAndVersionIsRegisteredOnce() {
        EventTypes.Builder builder = EventTypes.builder().register("OrderPlaced", 1, Placed.class, codec);

        assertThatThrownBy(() -> builder.register("OrderPlaced", 1, PlacedV2.class, codec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OrderPlaced v1");
    }

    @Test
    void aClassIsRegisteredOnceAndARefusalLeavesNothingBehind() {
        EventTypes.Builder builder = EventTypes.builder().register("OrderPlaced", 1, Placed.class, codec);

        assertThatThrownBy(() -> builder.register("OrderPlaced", 2, Placed.class, codec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Placed")
                .hasMessageContaining("OrderPlaced v2")
                .hasMessageContaining("OrderPlaced v1");

        EventTypes built =
                builder.register("OrderPlaced", 2, PlacedV2.class, codec).build();
        assertThat(built.event("orders", new PlacedV2("x")).build().version()).isEqualTo(2);
    }

    @Test
    void namesAndVersionsAreCheckedOnRegistration() {
        assertThatThrownBy(() -> EventTypes.builder().register("no spaces", 1, Placed.class, codec))
                .isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> EventTypes.builder().register("OrderPlaced", 0, Placed.class, codec))
                .isInstanceOf(InvalidEventException.class);
    }
}
