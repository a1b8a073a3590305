package dev.waybill.testkit.outbox;

import static dev.waybill.testkit.outbox.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxAssertTest {
    private final TestOutbox outbox = new TestOutbox();

    private record OrderPlaced(String order, int pieces) {}

    private record OrderPaid(String order) {}

    @BeforeEach
    void publishSome() {
        outbox.publish("mail", "o-1", new OrderPlaced("o-1", 2));
        outbox.publish("stock", "o-2", new OrderPlaced("o-2", 3));
        outbox.publish(Event.to("stock")
                .type("Restocked")
                .header("by", "ada")
                .json("{}")
                .build());
    }

    @Test
    void whatWasPublishedIsFoundByItsClass() {
        assertThat(outbox).published(OrderPlaced.class).times(2);
        assertThat(outbox)
                .published(OrderPlaced.class)
                .withKey("o-1")
                .to("mail")
                .satisfying(order -> assertThat(order.pieces()).isEqualTo(2))
                .once();
        assertThat(outbox).publishedNo(OrderPaid.class);
        assertThat(assertThat(outbox).published(OrderPlaced.class).values())
                .containsExactly(new OrderPlaced("o-1", 2), new OrderPlaced("o-2", 3));
    }

    @Test
    void anEventThatWasMadeByHandIsFoundByItsType() {
        assertThat(outbox)
                .published("Restocked")
                .withoutKey()
                .withHeader("by", "ada")
                .satisfying(event -> assertThat(event.payload().utf8()).isEqualTo("{}"));
    }

    @Test
    void aFailureSaysWhatWasExpectedAndWhatWasPublished() {
        assertThatThrownBy(() -> assertThat(outbox)
                        .published(OrderPlaced.class)
                        .to("mail")
                        .withKey("o-2"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expected an event made of OrderPlaced to mail with key \"o-2\".")
                .hasMessageContaining("- OrderPlaced to mail, key \"o-1\": OrderPlaced[order=o-1, pieces=2]")
                .hasMessageContaining("- Restocked to stock, no key, headers {by=ada}: {}");
    }

    @Test
    void everyConditionCanFail() {
        fails(() -> assertThat(outbox).published(OrderPaid.class), "an event made of OrderPaid");
        fails(() -> assertThat(outbox).published("Sold"), "an event of type Sold");
        fails(() -> assertThat(outbox).published(OrderPlaced.class).withoutKey(), "without a key");
        fails(() -> assertThat(outbox).published(OrderPlaced.class).withHeader("by", "ada"), "header by=ada");
        fails(() -> assertThat(outbox).published(OrderPlaced.class).once(), "1 times and not 2");
        fails(() -> assertThat(outbox).publishedNo(OrderPlaced.class), "no event made of OrderPlaced");
        fails(() -> assertThat(outbox).publishedNothing(), "nothing to be published");
        fails(
                () -> assertThat(outbox)
                        .published(OrderPlaced.class)
                        .satisfying(order -> assertThat(order.pieces()).isEqualTo(9)),
                "as required");
    }

    @Test
    void whatWasForgottenIsNotPublished() {
        outbox.forget();
        assertThat(outbox).publishedNothing();
        fails(() -> assertThat(outbox).published(OrderPlaced.class), "Published: nothing.");
    }

    @Test
    void anOutboxThatRemembersNothingIsRefusedWithAdvice() {
        fails(() -> assertThat(new Forgetful()).publishedNothing(), "@WaybillTest");
    }

    @Test
    void aValueWithoutADestinationIsRefusedWithAdvice() {
        assertThatThrownBy(() -> outbox.publish(new OrderPaid("o-1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SpringTestOutbox.create()");
    }

    @Test
    void onlyADelayedEventCanBeCancelled() {
        outbox.forget();
        UUID delayed = outbox.publish(Event.to("mail")
                .type("Reminder")
                .availableIn(Duration.ofHours(1))
                .build());
        UUID due = outbox.publish(Event.to("mail").type("Reminder").build());
        assertThat(outbox.cancel(delayed)).isTrue();
        assertThat(outbox.cancel(due)).isFalse();
        assertThat(outbox).published("Reminder").once();
    }

    private static void fails(Runnable assertion, String part) {
        assertThatThrownBy(assertion::run).isInstanceOf(AssertionError.class).hasMessageContaining(part);
    }

    private static final class Forgetful implements Outbox {
        @Override
        public UUID publish(Event event) {
            return event.id();
        }

        @Override
        public List<UUID> publishAll(Collection<Event> events) {
            return List.of();
        }

        @Override
        public boolean cancel(UUID id) {
            return false;
        }
    }
}
