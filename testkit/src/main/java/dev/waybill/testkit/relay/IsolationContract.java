package dev.waybill.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.store.Entry;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise 6: a poison key or a dead destination slows nobody else. */
abstract class IsolationContract extends RelayRig {

    @Test
    void anUnavailableDestinationIsPausedWithoutSpendingAttempts() {
        orders.answeringAll(DeliveryResult.unavailable("down"));
        for (int i = 0; i < 20; i++) {
            publish(order("a" + i % 5, "" + i), mail("m" + i % 5, "m" + i));
        }
        RelayAgent relay = relay();
        runFor(Duration.ofMillis(600), relay);
        assertThat(mails.sent()).hasSize(20);
        assertThat(orders.sent()).as("probes only").hasSizeBetween(2, 20);
        assertThat(outbox()).hasSize(20).extracting(Entry::attempts).containsOnly(0);
        assertThat(relay.status().pausedDestinations()).containsEntry(ORDERS, "down");
        int probes = orders.sent().size();
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(1), relay);
        assertThat(orders.texts().subList(probes, orders.texts().size()))
                .filteredOn(text -> Integer.parseInt(text) % 5 == 0)
                .containsExactly("0", "5", "10", "15");
        assertThat(fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10)).isEmpty();
    }

    @Test
    void aDestinationThatNeverAnswersLeavesRoomForTheOthers() {
        config = config.withWindow(64).withBatchSize(32).withDeliveryTimeout(Duration.ofMinutes(1));
        orders.answeringNothing();
        publish(IntStream.range(0, 500).mapToObj(i -> order("a" + i, "" + i)).toArray(Event[]::new));
        publish(IntStream.range(0, 50).mapToObj(i -> mail("m" + i, "" + i)).toArray(Event[]::new));
        RelayAgent relay = relay();
        runUntil(() -> mails.sent().size() == 50, Duration.ofSeconds(2), relay);
        // The window, and one entry more for each shard of the last fetch.
        assertThat(orders.sent().size()).isLessThanOrEqualTo(64 + 64);
        for (int i = 0; i < orders.sent().size(); i++) {
            orders.answer(i, DeliveryResult.delivered());
        }
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        assertThat(orders.sent()).hasSize(500);
    }

    @Test
    void aBacklogThatIsReadAheadForADestinationThatNeverAnswersLeavesRoomForTheOthers() {
        config = config.withWindow(2000).withBatchSize(1000).withDeliveryTimeout(Duration.ofMinutes(1));
        orders.answeringNothing();
        publish(IntStream.range(0, 5_000).mapToObj(i -> order("a" + i, "" + i)).toArray(Event[]::new));
        publish(IntStream.range(0, 50).mapToObj(i -> mail("m" + i, "" + i)).toArray(Event[]::new));
        RelayAgent relay = relay();

        runUntil(() -> mails.sent().size() == 50, Duration.ofSeconds(5), relay);
    }

    @Test
    void aDestinationWithALongQueueOfOneKeyLeavesRoomForTheOthers() {
        config = config.withWindow(64).withBatchSize(32).withDeliveryTimeout(Duration.ofMinutes(1));
        orders.answeringNothing();
        publish(IntStream.range(0, 500).mapToObj(i -> order("hot", "" + i)).toArray(Event[]::new));
        publish(order("cold", "cold"), mail("m", "m"));
        RelayAgent relay = relay();
        runUntil(() -> mails.sent().size() == 1 && orders.texts().contains("cold"), Duration.ofSeconds(2), relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("0", "cold");
    }

    @Test
    void aHotKeyLeavesRoomForTheOtherKeysOfItsDestination() {
        config = config.withWindow(400).withBatchSize(100);
        orders.answeringNothing();
        publish(IntStream.range(0, 500).mapToObj(i -> order("hot", "" + i)).toArray(Event[]::new));
        RelayAgent relay = relay();
        drain(relay);
        publish(order("cold", "cold"));
        // At once: no time passes in which the relay could lose its patience.
        drain(relay);
        assertThat(orders.texts()).containsExactly("0", "cold");
    }

    @Test
    void manyFailingKeysDoNotHoldBackTheOthers() {
        config = config.withWindow(64).withBatchSize(32);
        orders.answering(delivery -> Optional.of(
                delivery.event().payload().utf8().startsWith("bad")
                        ? DeliveryResult.retryAfter("bad", Duration.ofMinutes(5))
                        : DeliveryResult.delivered()));
        publish(IntStream.range(0, 200)
                .mapToObj(i -> order("bad" + i, "bad" + i))
                .toArray(Event[]::new));
        publish(IntStream.range(0, 200)
                .mapToObj(i -> order("bad" + i, "bad" + i))
                .toArray(Event[]::new));
        publish(IntStream.range(0, 20).mapToObj(i -> order("k" + i, "good" + i)).toArray(Event[]::new));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).filteredOn(text -> text.startsWith("good")).hasSize(20);
        assertThat(orders.texts()).filteredOn(text -> text.startsWith("bad")).hasSize(200);
    }

    @Test
    void aPoisonKeyIsMovedOutOfTheWay() {
        config = config.withBatchSize(50);
        orders.answering(delivery -> Optional.of(
                "poison".equals(delivery.event().key())
                        ? DeliveryResult.rejected("poison")
                        : DeliveryResult.delivered()));
        publish(IntStream.range(0, 400).mapToObj(i -> order("poison", "" + i)).toArray(Event[]::new));
        publish(order("k", "good"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("0", "good");
        assertThat(outbox()).isEmpty();
        assertThat(fixture.deadLetters().parked(10).get(0).waiting()).isEqualTo(399);
    }
}
