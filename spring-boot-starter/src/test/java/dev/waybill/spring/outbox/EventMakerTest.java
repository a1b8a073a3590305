package dev.waybill.spring.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.PayloadCodec;
import dev.waybill.event.PayloadCodecException;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.PublishedEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventMakerTest {

    @PublishedEvent(destination = "${topic}", key = "orderId", type = "order.placed", version = 2)
    private record OrderPlaced(@Nullable String orderId) {}

    @PublishedEvent(destination = "orders", key = "#root.number() + '-' + number")
    private record ByMethod(int number) {}

    @PublishedEvent(destination = "orders", key = "nothing")
    private record WithWrongKey(String orderId) {}

    @PublishedEvent(destination = "orders", key = "((")
    private record WithBrokenKey(String orderId) {}

    @PublishedEvent(destination = "orders", key = "T(java.lang.System).exit(1)")
    private record WithDangerousKey(String orderId) {}

    private record Plain(String orderId) {}

    private static final class Text implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            if (value.toString().contains("broken")) {
                throw new IllegalStateException("no text");
            }
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private static EventMaker maker(Map<String, EventMaker.Destination> destinations, EventCustomizer... customizers) {
        return new EventMaker(
                new Text(), text -> text.replace("${topic}", "resolved"), destinations, () -> List.of(customizers));
    }

    private final EventMaker maker = maker(Map.of());

    @Test
    void theAnnotationSaysDestinationKeyTypeAndVersion() {
        Event event = maker.event(new OrderPlaced("o-1"));
        assertThat(event.destination()).isEqualTo("resolved");
        assertThat(event.key()).isEqualTo("o-1");
        assertThat(event.type()).isEqualTo("order.placed");
        assertThat(event.version()).isEqualTo(2);
        assertThat(event.contentType()).isEqualTo("text/plain");
        assertThat(event.payload().utf8()).isEqualTo("OrderPlaced[orderId=o-1]");
    }

    @Test
    void aKeyMayCallMethodsOfTheValue() {
        assertThat(maker.event(new ByMethod(7)).key()).isEqualTo("7-7");
    }

    @Test
    void aValueWithoutAnAnnotationNeedsADestination() {
        assertThatThrownBy(() -> maker.event(new Plain("1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(Plain.class.getName(), "@PublishedEvent", "publish(destination, key, value)");
        Event event = maker.event("elsewhere", "k", new Plain("1"));
        assertThat(event.destination()).isEqualTo("elsewhere");
        assertThat(event.key()).isEqualTo("k");
        assertThat(event.type()).isEqualTo("Plain");
        assertThat(maker.event("elsewhere", null, new Plain("1")).key()).isNull();
    }

    @Test
    void theKeyOfTheClassStandsInForOneThatIsNotGiven() {
        assertThat(maker.event("elsewhere", null, new OrderPlaced("o-1")).key()).isEqualTo("o-1");
        assertThat(maker.event("elsewhere", "k", new OrderPlaced("o-1")).key()).isEqualTo("k");
    }

    @Test
    void aKeyThatCannotBeReadNamesItsClassAndExpression() {
        assertThatThrownBy(() -> maker.event(new OrderPlaced(null)))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("orderId", OrderPlaced.class.getName(), "null");
        assertThatThrownBy(() -> maker.event(new WithWrongKey("1")))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("nothing", WithWrongKey.class.getName());
        assertThatThrownBy(() -> maker.event(new WithBrokenKey("1")))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("((", WithBrokenKey.class.getName());
        assertThatThrownBy(() -> maker.event(new WithDangerousKey("1"))).isInstanceOf(InvalidEventException.class);
    }

    @Test
    void aValueThatCannotBeWrittenNamesItsType() {
        assertThatThrownBy(() -> maker.event(new OrderPlaced("broken")))
                .isInstanceOf(PayloadCodecException.class)
                .hasMessageContaining("order.placed");
    }

    @Test
    void settingsGiveKeysAndHeadersThatAreMissing() {
        EventMaker withSettings =
                maker(Map.of("orders", new EventMaker.Destination("orderId", Map.of("a", "set", "b", "set"))));
        Event event = withSettings.event("orders", null, new Plain("7"));
        assertThat(event.key()).isEqualTo("7");
        Event prepared = withSettings.prepare(event.withHeaders(Map.of("b", "own")));
        assertThat(prepared.headers()).isEqualTo(Map.of("a", "set", "b", "own"));
        assertThat(withSettings.event("other", null, new Plain("7")).key()).isNull();
    }

    @Test
    void customizersComeInTheirOrderAndKeepTheEvent() {
        EventMaker customized = maker(
                Map.of(),
                event -> event.withHeaders(Map.of("a", "1")),
                event -> event.withHeaders(Map.of("a", event.headers().get("a") + "2")));
        Event made = customized.event(new ByMethod(1));
        assertThat(customized.prepare(made).headers()).isEqualTo(Map.of("a", "12"));

        EventMaker replacing = maker(
                Map.of(), given -> Event.to("other").type("x").id(given.id()).build());
        assertThatThrownBy(() -> replacing.prepare(made))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("EventCustomizer");
    }
}
