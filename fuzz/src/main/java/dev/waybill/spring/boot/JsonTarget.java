package dev.waybill.spring.boot;

import dev.waybill.event.Event;
import dev.waybill.event.EventTypes;
import dev.waybill.event.PayloadCodecException;
import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Payloads that somebody else wrote, given to the codec that applications get without asking. */
public final class JsonTarget implements FuzzTarget {

    private record Line(
            @Nullable String article, int count, @Nullable BigDecimal price) {}

    private record Order(
            @Nullable String id,
            @Nullable Instant at,
            @Nullable Duration within,
            @Nullable List<Line> lines,
            @Nullable Map<String, Object> more) {}

    private final EventTypes types = EventTypes.builder()
            .register("Order", 1, Order.class, Jackson2Codec.own())
            .build();

    @Override
    public void check(Input input) {
        Event event = Event.to("orders").type("Order").payload(input.bytes()).build();
        Object value;
        try {
            value = types.decode(event);
        } catch (PayloadCodecException e) {
            Expect.that(e.getMessage() != null, "It is refused without a reason");
            return;
        }
        Expect.that(value instanceof Order, "A value of another type: " + value);
    }
}
