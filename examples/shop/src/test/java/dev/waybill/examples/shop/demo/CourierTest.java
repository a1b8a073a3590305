package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CourierTest {
    private static final DeliveryResult REJECTED = DeliveryResult.rejected("unreadable");
    private static final DeliveryResult RETRY = DeliveryResult.retryAfter("busy", Duration.ofSeconds(1));
    private static final DeliveryResult DOWN = DeliveryResult.unavailable("down");

    private final List<DeliveryResult> results = new ArrayList<>();

    @Test
    void anEventIsDeliveredWhenAllTookIt() {
        answer(DeliveryResult.delivered(), DeliveryResult.delivered());
        assertThat(results).containsExactly(DeliveryResult.delivered());
    }

    @Test
    void anEventThatOneRejectsIsRejectedWhoeverTookIt() {
        answer(DeliveryResult.delivered(), REJECTED, DeliveryResult.delivered());
        assertThat(results).containsExactly(REJECTED);
    }

    @Test
    void oneThatHasNotTakenItHoldsItBack() {
        answer(DeliveryResult.delivered(), RETRY, REJECTED);
        answer(DOWN, DeliveryResult.delivered(), RETRY);
        assertThat(results).containsExactly(RETRY, DOWN);
    }

    @Test
    void thereIsNoResultBeforeTheLastAnswer() {
        Answers answers = new Answers(2, (delivery, result) -> results.add(result));
        answers.onResult(delivery(1), DOWN);
        assertThat(results).isEmpty();
        answers.onResult(delivery(1), DeliveryResult.delivered());
        assertThat(results).containsExactly(DOWN);
    }

    @Test
    void aShopThatIsStillStartingTakesNothing() {
        new Courier().send(List.of(delivery(1)), (delivery, result) -> results.add(result));
        assertThat(results).singleElement().isInstanceOf(DeliveryResult.Unavailable.class);
    }

    private void answer(DeliveryResult... given) {
        Answers answers = new Answers(given.length, (delivery, result) -> results.add(result));
        for (DeliveryResult result : given) {
            answers.onResult(delivery(7), result);
        }
    }

    private static Delivery delivery(long sendId) {
        Event event = Event.to("orders").type("OrderPlaced").json("{}").build();
        return new Delivery(event, 1, 1, 0, sendId);
    }
}
