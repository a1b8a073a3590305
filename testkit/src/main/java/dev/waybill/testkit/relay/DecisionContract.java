package dev.waybill.testkit.relay;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.operations.Operations;
import dev.waybill.relay.RelayAgent;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.Entry;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people decide while the relay works: pauses of destinations and keys, and rates. */
abstract class DecisionContract extends RelayRig {

    private Operations operations() {
        return fixture.administration().operations();
    }

    @Test
    void aPausedDestinationGetsNothingUntilItIsResumed() {
        RelayAgent relay = relay();
        publish(order("a", "1"));
        drain(relay);
        operations().pauseDestination(ORDERS, TESTER);
        runFor(POLL.multipliedBy(2), relay);
        publish(order("a", "2"), mail("m", "1"));
        publish(order("a", "3"), order("b", "4"));
        runFor(Duration.ofMillis(500), relay);
        assertThat(orders.texts()).containsExactly("1");
        assertThat(mails.texts()).containsExactly("1");
        assertThat(outbox()).hasSize(3).extracting(Entry::attempts).containsOnly(0);
        assertThat(relay.status().pausedDestinations()).containsKey(ORDERS);

        operations().resumeDestination(ORDERS, TESTER);
        runUntil(() -> outbox().isEmpty(), POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("1", "2", "3", "4");
        assertThat(orders.texts().indexOf("2")).isLessThan(orders.texts().indexOf("3"));
        assertThat(relay.status().pausedDestinations()).isEmpty();
    }

    @Test
    void whatIsOnItsWayWhenItsDestinationIsPausedIsFinished() {
        orders.answeringNothing();
        publish(order("a", "1"), order("a", "2"), order("b", "3"));
        RelayAgent relay = relay();
        drain(relay);
        operations().pauseDestination(ORDERS, TESTER);
        runFor(POLL.multipliedBy(2), relay);
        orders.answer(0, DeliveryResult.delivered());
        orders.answer(1, DeliveryResult.delivered());
        drain(relay);
        assertThat(outbox()).extracting(entry -> entry.event().payload().utf8()).containsExactly("2");
        assertThat(orders.sent()).hasSize(2);
    }

    @Test
    void aDestinationThatIsDownIsNotProbedWhileItIsPaused() {
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "1"), order("b", "2"));
        RelayAgent relay = relay();
        runFor(Duration.ofMillis(300), relay);
        operations().pauseDestination(ORDERS, TESTER);
        runFor(POLL.multipliedBy(2), relay);
        int tries = orders.sent().size();
        runFor(Duration.ofMillis(800), relay);
        assertThat(orders.sent()).hasSize(tries);

        orders.answeringAll(DeliveryResult.delivered());
        operations().resumeDestination(ORDERS, TESTER);
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(1), relay);
    }

    @Test
    void aProbeThatIsAnsweredAfterItsDestinationWasPausedEndsNoPause() {
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "1"), order("a", "2"));
        RelayAgent relay = relay();
        drain(relay);
        orders.answeringNothing();
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(1), relay);
        operations().pauseDestination(ORDERS, TESTER);
        drain(relay);
        orders.answer(1, DeliveryResult.delivered());
        runFor(Duration.ofMillis(300), relay);
        assertThat(orders.sent()).hasSize(2);
        assertThat(outbox()).hasSize(1);

        orders.answeringAll(DeliveryResult.delivered());
        operations().resumeDestination(ORDERS, TESTER);
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(1), relay);
    }

    @Test
    void aNewRelayKnowsWhatIsPaused() {
        operations().pauseDestination(ORDERS, TESTER);
        publish(order("a", "1"), mail("m", "1"));
        runFor(Duration.ofMillis(400), relay());
        assertThat(orders.sent()).isEmpty();
        assertThat(mails.sent()).hasSize(1);
    }

    @Test
    void aDestinationWithAPausedRouteGetsNothingWhateverOperatorsDecide() {
        ordersPaused = true;
        RelayAgent relay = relay();
        drain(relay);
        assertThat(relay.status().pausedDestinations()).containsEntry(ORDERS, "paused by its route");
        publish(order("a", "1"), mail("m", "1"));
        runFor(Duration.ofMillis(500), relay);
        operations().pauseDestination(ORDERS, TESTER);
        runFor(POLL.multipliedBy(2), relay);
        operations().resumeDestination(ORDERS, TESTER);
        publish(order("a", "2"), order("b", "3"), mail("m", "2"));
        runFor(Duration.ofMillis(500), relay);
        assertThat(orders.sent()).isEmpty();
        assertThat(mails.texts()).containsExactly("1", "2");
        assertThat(outbox()).hasSize(3).extracting(Entry::attempts).containsOnly(0);
        assertThat(relay.status().pausedDestinations()).containsEntry(ORDERS, "paused by its route");

        relay.beginStop();
        drain(relay);
        ordersPaused = false;
        drain(relay());
        assertThat(orders.texts()).containsExactlyInAnyOrder("1", "2", "3").containsSubsequence("1", "2");
    }

    @Test
    void aPausedKeyWaitsAndTheOthersGoOn() {
        RelayAgent relay = relay();
        drain(relay);
        operations().pauseKey(key("a"), TESTER);
        publish(order("a", "1"), order("b", "2"));
        publish(order("a", "3"));
        runFor(POLL.multipliedBy(2), relay);
        assertThat(orders.texts()).containsExactly("2");
        assertThat(outbox()).as("they wait where they cost nothing").isEmpty();

        operations().resumeKey(key("a"), TESTER);
        publish(order("a", "4"));
        runUntil(() -> orders.sent().size() == 4, POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("2", "1", "3", "4");
        assertThat(fixture.deadLetters().parked(10)).isEmpty();
    }

    @Test
    void anEntryOnItsWayWhenItsKeyIsPausedIsSentOnce() {
        orders.answeringNothing();
        publish(order("a", "1"), order("a", "2"));
        RelayAgent relay = relay();
        drain(relay);
        operations().pauseKey(key("a"), TESTER);
        runFor(POLL.multipliedBy(2), relay);
        orders.answer(0, DeliveryResult.delivered());
        drain(relay);
        orders.answeringAll(DeliveryResult.delivered());
        operations().resumeKey(key("a"), TESTER);
        runUntil(() -> orders.sent().size() >= 2 && outbox().isEmpty(), Duration.ofSeconds(1), relay);
        assertThat(orders.texts()).containsExactly("1", "2");
    }

    @Test
    void aPausedKeyGivesNoProbe() {
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "1"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactly("1");

        operations().pauseKey(key("a"), TESTER);
        orders.answeringAll(DeliveryResult.delivered());
        // It is read by this relay before it is time for the next probe.
        drain(relay);
        runFor(POLL.multipliedBy(4), relay);
        assertThat(orders.texts()).containsExactly("1");

        operations().resumeKey(key("a"), TESTER);
        runUntil(() -> outbox().isEmpty() && orders.sent().size() == 2, POLL.multipliedBy(4), relay);
    }

    @Test
    void aKeyThatWasPausedSinceTheLastLookIntoTheStoreGivesNoProbe() {
        config = config.withPollInterval(Duration.ofMinutes(1));
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "1"));
        RelayAgent relay = relay();
        drain(relay);
        publish(order("b", "2"));
        operations().pauseKey(key("a"), TESTER);
        // Another probe has to be found now, and nobody tells the relay that it must not be this one.
        drain(relay);
        operations().pauseKey(key("b"), TESTER);
        fixture.passTime(Duration.ofMillis(300));
        while (relay.doWork() > 0) {
            // until it rests
        }
        assertThat(orders.texts()).containsExactly("1");

        orders.answeringAll(DeliveryResult.delivered());
        operations().resumeKey(key("b"), TESTER);
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(1), relay);
        assertThat(orders.texts()).containsExactly("1", "2");
    }

    @Test
    void theHeadOfAPausedKeyThatDiesIsReleasedAsADeadLetter() {
        orders.answeringNothing();
        publish(order("a", "1"), order("a", "2"));
        RelayAgent relay = relay();
        drain(relay);
        operations().pauseKey(key("a"), TESTER);
        runFor(POLL.multipliedBy(2), relay);
        orders.answer(0, DeliveryResult.rejected("broken"));
        drain(relay);
        assertThat(operations().resumeKey(key("a"), TESTER))
                .as("a dead letter holds it now")
                .isFalse();
        assertThat(fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10)).hasSize(1);

        orders.answeringAll(DeliveryResult.delivered());
        assertThat(fixture.deadLetters().release(key("a"), TESTER)).isTrue();
        runUntil(() -> orders.sent().size() == 3, Duration.ofSeconds(1), relay);
        assertThat(orders.texts()).containsExactly("1", "1", "2");
    }

    @Test
    void aDestinationHasNoMoreOnTheWayThanItsRouteAllows() {
        ordersInFlight = 3;
        orders.answeringNothing();
        publish(orders(10));
        publish(mail("m", "1"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.sent()).hasSize(3);
        assertThat(mails.sent()).as("the others do not wait").hasSize(1);

        orders.answer(0, DeliveryResult.delivered());
        orders.answer(1, DeliveryResult.retry("busy"));
        drain(relay);
        assertThat(orders.sent()).hasSize(5);
        orders.answeringAll(DeliveryResult.delivered());
        for (int i = 2; i < 5; i++) {
            orders.answer(i, DeliveryResult.delivered());
        }
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        assertThat(orders.sent()).hasSize(11);
    }

    @Test
    void aDestinationGetsNoMoreThanItsRate() {
        ordersPerSecond = 100;
        publish(orders(300));
        publish(IntStream.range(0, 50).mapToObj(i -> mail("m" + i, "" + i)).toArray(Event[]::new));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(mails.sent()).as("the others do not wait").hasSize(50);
        runFor(Duration.ofSeconds(1), relay);
        assertThat(orders.sent()).hasSizeBetween(95, 112);
        runFor(Duration.ofSeconds(1), relay);
        assertThat(orders.sent()).hasSizeBetween(190, 213);
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        for (int key = 0; key < 7; key++) {
            int number = key;
            assertThat(orders.texts().stream().map(Integer::valueOf).filter(i -> i % 7 == number))
                    .isSorted();
        }
    }

    @Test
    void relaysShareTheRateOfADestination() {
        ordersPerSecond = 100;
        RelayAgent one = relay();
        RelayAgent two = relay();
        runUntil(
                () -> one.status().ownedShards() == 32 && two.status().ownedShards() == 32,
                Duration.ofSeconds(5),
                one,
                two);
        publish(IntStream.range(0, 600).mapToObj(i -> order("k" + i, "" + i)).toArray(Event[]::new));
        runFor(Duration.ofSeconds(2), one, two);
        assertThat(orders.sent()).hasSizeBetween(185, 215);
    }

    @Test
    void theRelayTellsWhatIsInFlight() {
        orders.answeringNothing();
        Event event = order("a", "1");
        publish(event, order("a", "2"));
        RelayAgent relay = relay();
        drain(relay);
        CompletableFuture<List<Delivery>> answer = relay.inFlight();
        assertThat(answer).isNotDone();
        relay.doWork();
        assertThat(answer.join()).extracting(Delivery::event).containsExactly(event);
    }

    @Test
    void aReplayedEntryIsDeliveredWithItsGeneration() {
        RelayAgent relay = relay();
        publish(order("a", "1"), order("a", "2"));
        drain(relay);
        fixture.passTime(fixture.replayMargin().plusMillis(100));
        ReplayFilter all = ReplayFilter.between(fixture.now().minusSeconds(3600), fixture.now());
        Replay replay = fixture.administration().replays().start(UUID.randomUUID(), all, 1000, TESTER);
        fixture.passTime(fixture.replayMargin().plusMillis(100));
        while (fixture.store().hasRunningReplays()) {
            fixture.store().advanceReplays();
            fixture.passTime(Duration.ofMillis(5));
        }
        drain(relay);
        assertThat(orders.texts()).containsExactly("1", "2", "1", "2");
        assertThat(orders.sent())
                .extracting(Delivery::replay)
                .containsExactly(0, 0, replay.generation(), replay.generation());
    }

    private static Event[] orders(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> order("k" + i % 7, "" + i))
                .toArray(Event[]::new);
    }
}
