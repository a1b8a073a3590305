package dev.waybill.testkit.relay;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import dev.waybill.testkit.store.StoreFixture;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise 3: order per (destination, key), through retries, delays, parked keys and their release. */
abstract class OrderContract extends RelayRig {

    @Test
    void oneEntryOfAKeyIsOnItsWayAtATime() {
        orders.answeringNothing();
        publish(order("a", "a1"), order("b", "b1"), order("a", "a2"), order("b", "b2"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("a1", "b1");
    }

    @Test
    void severalEntriesOfAKeyGoTogetherIfTheTransportKeepsTheirOrder() {
        orders.keepingOrder();
        orders.answeringNothing();
        publish(order("a", "a1"), order("b", "b1"), order("a", "a2"), order("a", "a3"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("a1", "a2", "a3", "b1");
        assertThat(textsOf("a")).containsExactly("a1", "a2", "a3");
        publish(order("a", "a4"));
        drain(relay);
        assertThat(textsOf("a")).as("the next ones wait for all of them").containsExactly("a1", "a2", "a3");
        answer("a1", DeliveryResult.delivered());
        answer("a2", DeliveryResult.retry("not yet"));
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> textsOf("a").contains("a4"), Duration.ofSeconds(2), relay);
        assertThat(textsOf("a")).containsExactly("a1", "a2", "a3", "a2", "a3", "a4");
    }

    /** Nobody holds the key after it: what is queued must not go on before what was sent with it. */
    @Test
    void whatWasSentBehindADeadLetterGoesBeforeWhatWasQueuedMeanwhile() {
        skipsDeadOrders = true;
        orders.keepingOrder();
        orders.answeringNothing();
        publish(order("a", "a1"), order("a", "a2"));
        RelayAgent relay = relay();
        drain(relay);
        publish(order("a", "a3"));
        drain(relay);
        answer("a1", DeliveryResult.rejected("never"));
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        assertThat(textsOf("a")).containsExactly("a1", "a2", "a2", "a3");
    }

    private void answer(String text, DeliveryResult result) {
        orders.answer(orders.texts().indexOf(text), result);
    }

    @Test
    void aFailingEntryHoldsItsKeyAndOnlyItsKey() {
        orders.answering(failingTwice("a1"));
        publish(order("a", "a1"), order("a", "a2"), order("b", "b1"));
        publish(order("a", "a3"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("a1", "b1");
        publish(order("a", "a4"));
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(textsOf("a")).containsExactly("a1", "a1", "a1", "a2", "a3", "a4");
    }

    /** Between the first entry of a key and the last one there may be a million that were delivered meanwhile. */
    @Test
    void whatComesAfterAFailingEntryIsReadOnlyWhenThatOneHasArrived() {
        orders.answering(failingTwice("a1"));
        publish(order("a", "a1"), order("a", "a2"), order("b", "b1"), order("a", "a3"));
        long first = outbox().get(0).sequence();
        List<Long> ends = new ArrayList<>();
        OutboxStore store = fixture.store();
        RelayAgent relay = relay((OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("readKeys") && !textsOf("a").contains("a2")) {
                        ((Collection<?>) args[0]).forEach(stretch -> ends.add(((KeyCursor) stretch).to()));
                    }
                    return method.invoke(store, args);
                }));
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(textsOf("a")).containsExactly("a1", "a1", "a1", "a2", "a3");
        // Both retries, or more if the relay has looked meanwhile whether it was cancelled; the rest at last.
        assertThat(ends).hasSizeGreaterThanOrEqualTo(3);
        assertThat(ends.subList(0, ends.size() - 1)).containsOnly(first);
        assertThat(ends.get(ends.size() - 1)).isGreaterThan(first);
    }

    private static Function<Delivery, Optional<DeliveryResult>> failingTwice(String text) {
        return delivery -> Optional.of(
                delivery.event().payload().utf8().equals(text) && delivery.attempt() < 3
                        ? DeliveryResult.retry("not yet")
                        : DeliveryResult.delivered());
    }

    @Test
    void aKeyWithMoreEntriesThanFitInHandStaysInOrder() {
        Event[] events =
                IntStream.range(0, 500).mapToObj(i -> order("a", "" + i)).toArray(Event[]::new);
        publish(events);
        RelayAgent relay = relay();
        drain(relay);
        assertThat(textsOf("a"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 500).mapToObj(i -> "" + i).toList());
    }

    @Test
    void aDelayedEntryHoldsItsKeyUntilItIsDue() {
        publish(delayed("a", "a1", Duration.ofMillis(400)));
        publish(order("a", "a2"));
        publish(order("b", "b1"));
        RelayAgent relay = relay();
        runFor(Duration.ofMillis(150), relay);
        assertThat(orders.texts()).containsExactly("b1");
        runUntil(() -> orders.sent().size() == 3, Duration.ofSeconds(2), relay);
        assertThat(orders.texts()).containsExactly("b1", "a1", "a2");
    }

    @Test
    void aCancelledEntryHoldsItsKeyNoLonger() {
        Event delayed = delayed("a", "a1", Duration.ofMinutes(30));
        publish(delayed);
        publish(order("a", "a2"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.sent()).isEmpty();
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            assertThat(transaction.cancel(delayed.id())).isTrue();
            transaction.commit();
        }
        runUntil(() -> orders.sent().size() == 1, POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("a2");
        assertThat(outbox()).isEmpty();
    }

    @Test
    void aLateCommitBelowADelayedEntryNeedNotWaitForIt() {
        RelayAgent relay = relay();
        try (StoreFixture.Transaction late = publishOpen(order("a", "late"))) {
            publish(delayed("a", "a1", Duration.ofMinutes(30)));
            runFor(POLL.multipliedBy(3), relay);
            late.commit();
        }
        runUntil(() -> orders.texts().contains("late"), POLL.multipliedBy(3), relay);
    }

    @Test
    void aLateCommitComesBeforeWhatWasInsertedAfterIt() {
        RelayAgent relay = relay();
        try (StoreFixture.Transaction late = publishOpen(order("a", "late"))) {
            publish(order("b", "b1"));
            runFor(POLL.multipliedBy(3), relay);
            late.commit();
        }
        publish(order("a", "after"));
        drain(relay);
        runFor(POLL.multipliedBy(2), relay);
        assertThat(orders.texts()).containsExactly("b1", "late", "after");
    }

    @Test
    void aLateCommitOfAKeyThatWasReadOnComesBeforeWhatWasInsertedAfterIt() {
        RelayAgent relay = relay();
        try (StoreFixture.Transaction late = publishOpen(order("a", "late"))) {
            publish(order("a", "before"));
            runFor(POLL.multipliedBy(3), relay);
            late.commit();
        }
        publish(order("a", "after"));
        drain(relay);
        assertThat(orders.texts()).containsExactly("before", "late", "after");
    }

    @Test
    void aLateCommitWhileALaneIsReadComesBeforeWhatWasInsertedAfterIt() {
        StoreFixture.Transaction late = publishOpen(delayed("a", "late", Duration.ofMillis(500)));
        RelayAgent relay = relayWithALane(() -> {
            late.commit();
            publish(order("a", "after"));
        });
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        late.close();
        assertThat(orders.texts()).containsSubsequence("a2", "late", "after");
    }

    @Test
    void aLaneDoesNotLeadTheScanPastALateCommit() {
        // One shard is scanned in each round, but every lane is read: it would be far ahead soon.
        config = config.withBatchSize(1).withRescanInterval(Duration.ofHours(1));
        RelayAgent relay = relay();
        drain(relay);
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "a1"));
        drain(relay);
        orders.answeringAll(DeliveryResult.delivered());
        try (StoreFixture.Transaction late = publishOpen(order("a", "late"))) {
            publish(IntStream.range(0, 6).mapToObj(i -> order("a", "f" + i)).toArray(Event[]::new));
            fixture.passTime(POLL.multipliedBy(2));
            for (int steps = 0; steps < 1000 && !orders.texts().contains("f1"); steps++) {
                relay.doWork();
            }
            late.commit();
        }
        publish(order("a", "after"));
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(orders.texts()).containsSubsequence("late", "after");
    }

    @Test
    void aReleaseWhileALaneIsReadLetsNothingOvertakeAFailedEntry() {
        String sameShard = IntStream.range(0, 10_000)
                .mapToObj(i -> "x" + i)
                .filter(name -> key(name).shard() == key("a").shard())
                .findFirst()
                .orElseThrow();
        orders.answeringAll(DeliveryResult.rejected("broken"));
        publish(order(sameShard, "x"));
        RelayAgent relay = relayWithALane(() -> fixture.deadLetters().release(key(sameShard), TESTER));
        int probes = orders.sent().size();
        orders.answering(delivery -> Optional.of(
                delivery.attempt() == 1 && delivery.event().payload().utf8().equals("a1")
                        ? DeliveryResult.retryAfter("not yet", POLL.multipliedBy(3))
                        : DeliveryResult.delivered()));
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(2), relay);
        assertThat(orders.texts().subList(probes, orders.sent().size()))
                .filteredOn(text -> text.startsWith("a"))
                .containsExactly("a1", "a1", "a2", "a3", "a4");
    }

    /**
     * A relay that has found its destination unavailable with a1, so that it reads a2 to a4 from a lane, in two pages; at
     * the second one something happens.
     */
    private RelayAgent relayWithALane(Runnable atTheSecondPage) {
        config = config.withBatchSize(2 * Shards.COUNT);
        OutboxStore store = fixture.store();
        AtomicInteger pages = new AtomicInteger();
        RelayAgent relay = relay((OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("readLanes") && pages.incrementAndGet() == 2) {
                        atTheSecondPage.run();
                    }
                    return method.invoke(store, args);
                }));
        drain(relay);
        orders.answeringAll(DeliveryResult.unavailable("down"));
        publish(order("a", "a1"), order("a", "a2"), order("a", "a3"), order("a", "a4"));
        drain(relay);
        return relay;
    }

    @Test
    void aDeadLetterParksItsKeyAndWhatComesLaterWaitsBehindIt() {
        orders.answering(rejecting("a1"));
        publish(order("a", "a1"), order("a", "a2"), order("b", "b1"));
        RelayAgent relay = relay();
        drain(relay);
        publish(order("a", "a3"));
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("a1", "b1");
        assertThat(outbox()).isEmpty();
        assertThat(fixture.deadLetters().parked(10)).hasSize(1);
        assertThat(fixture.deadLetters().parked(10).get(0).waiting()).isEqualTo(2);
    }

    @Test
    void aReleasedKeyGoesOnInOrderWhileNewerEntriesArrive() {
        config = config.withBatchSize(20);
        orders.answering(rejecting("a0"));
        for (int i = 0; i < 100; i++) {
            publish(order("a", "a" + i));
        }
        RelayAgent relay = relay();
        drain(relay);
        orders.answeringAll(DeliveryResult.delivered());
        publish(order("a", "a100"));
        assertThat(fixture.deadLetters().release(key("a"), TESTER)).isTrue();
        publish(order("a", "a101"));
        for (int i = 102; i < 120; i++) {
            relay.wakeUp(ShardSet.ALL);
            relay.doWork();
            publish(order("a", "a" + i));
        }
        runUntil(() -> textsOf("a").size() == 121, Duration.ofSeconds(5), relay);
        List<String> expected = new ArrayList<>(List.of("a0"));
        IntStream.range(0, 120).forEach(i -> expected.add("a" + i));
        assertThat(textsOf("a")).containsExactlyElementsOf(expected);
        assertThat(fixture.deadLetters().parked(10)).isEmpty();
    }

    @Test
    void aSkippedDeadLetterLetsItsKeyGoOnWithoutIt() {
        orders.answering(rejecting("a1"));
        publish(order("a", "a1"), order("a", "a2"), order("a", "a3"));
        RelayAgent relay = relay();
        drain(relay);
        assertThat(fixture.deadLetters().skip(key("a"), TESTER)).isTrue();
        runUntil(() -> orders.sent().size() == 3, POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("a1", "a2", "a3");
        assertThat(fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10)).hasSize(1);
    }

    @Test
    void aReleaseWithoutARelayIsCarriedOutByTheNextOne() {
        orders.answering(rejecting("a1"));
        publish(order("a", "a1"), order("a", "a2"));
        RelayAgent relay = relay();
        drain(relay);
        relay.beginStop();
        drain(relay);
        assertThat(relay.isStopped()).isTrue();
        orders.answeringAll(DeliveryResult.delivered());
        fixture.deadLetters().release(key("a"), TESTER);
        publish(order("a", "a3"));
        RelayAgent next = relay();
        runUntil(() -> orders.sent().size() == 4, Duration.ofSeconds(3), next);
        assertThat(orders.texts()).containsExactly("a1", "a1", "a2", "a3");
    }

    @Test
    void aKeyWhoseHeadIsCancelledWhileItDiesGoesOn() {
        Event timer = delayed("a", "a1", Duration.ofMillis(200));
        publish(timer);
        publish(order("a", "a2"));
        orders.answeringNothing();
        RelayAgent relay = relay();
        StoreFixture.Transaction cancel = fixture.begin();
        assertThat(cancel.cancel(timer.id())).isTrue();
        runUntil(() -> orders.sent().size() == 1, Duration.ofSeconds(2), relay);
        cancel.commit();
        orders.answeringAll(DeliveryResult.delivered());
        orders.answer(0, DeliveryResult.rejected("too late"));
        runUntil(() -> orders.texts().contains("a2"), Duration.ofSeconds(2), relay);
        assertThat(outbox()).isEmpty();
        assertThat(fixture.deadLetters().parked(10)).isEmpty();
    }

    private Event delayed(String key, String text, Duration delay) {
        return Event.to(ORDERS)
                .key(key)
                .type("order")
                .availableAt(fixture.now().plus(delay))
                .json(text)
                .build();
    }

    private static Function<Delivery, Optional<DeliveryResult>> rejecting(String text) {
        return delivery -> Optional.of(
                delivery.event().payload().utf8().equals(text)
                        ? DeliveryResult.rejected("broken")
                        : DeliveryResult.delivered());
    }

    private List<String> textsOf(String key) {
        return orders.sent().stream()
                .filter(delivery -> key.equals(delivery.event().key()))
                .map(delivery -> delivery.event().payload().utf8())
                .toList();
    }

    @Test
    void aKeyWhoseFailureIsNotYetWrittenKeepsItsOrderWhenItsShardIsReadAnew() {
        RelayAgent relay = relayWithAKeyToRelease();
        orders.answer(orders.texts().indexOf("a1"), DeliveryResult.retry("not now"));
        work(relay);
        releaseNeighbour();

        work(relay);
        assertThat(textsOf("a")).as("before the failure is written").containsExactly("a1");

        letWritesGo();
        orders.answeringAll(DeliveryResult.delivered());
        runUntil(() -> textsOf("a").size() == 3, Duration.ofSeconds(5), relay);
        assertThat(textsOf("a")).containsExactly("a1", "a1", "a2");
    }

    @Test
    void aKeyWhoseDeathIsNotYetWrittenStaysParkedWhenItsShardIsReadAnew() {
        RelayAgent relay = relayWithAKeyToRelease();
        orders.answer(orders.texts().indexOf("a1"), DeliveryResult.rejected("never"));
        work(relay);
        releaseNeighbour();

        work(relay);
        letWritesGo();
        orders.answeringAll(DeliveryResult.delivered());
        runFor(POLL.multipliedBy(3), relay);
        assertThat(textsOf("a")).containsExactly("a1");
    }

    /** Has sent a1, with a2 behind it, while another key of the shard waits for its release; writes nothing any more. */
    private RelayAgent relayWithAKeyToRelease() {
        orders.answeringAll(DeliveryResult.rejected("never"));
        publish(order(neighbour(), "dead"));
        RelayAgent relay = relay();
        drain(relay);
        orders.answeringNothing();
        publish(order("a", "a1"), order("a", "a2"));
        drain(relay);
        holdWrites();
        return relay;
    }

    private void releaseNeighbour() {
        assertThat(fixture.deadLetters().release(key(neighbour()), TESTER)).isTrue();
    }

    private static String neighbour() {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "n" + i)
                .filter(key -> Shards.of(ORDERS, key) == Shards.of(ORDERS, "a"))
                .findFirst()
                .orElseThrow();
    }

    private static void work(RelayAgent relay) {
        relay.wakeUp(ShardSet.ALL);
        for (int i = 0; i < 20; i++) {
            relay.doWork();
        }
    }
}
