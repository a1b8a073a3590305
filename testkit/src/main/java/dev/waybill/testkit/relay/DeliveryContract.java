package dev.waybill.testkit.relay;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.store.Entry;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Scan;
import dev.waybill.store.Shards;
import dev.waybill.testkit.store.StoreFixture;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promises 1, 2, 4 and 7: everything committed arrives, nothing else does, and how often. */
abstract class DeliveryContract extends RelayRig {

    @Test
    void everyCommittedEventIsDeliveredOnce() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            publish(order("k" + i % 7, "e" + i), keyless("n" + i));
            expected.add("e" + i);
            expected.add("n" + i);
        }
        drain(relay());
        assertThat(orders.texts()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(outbox()).isEmpty();
    }

    @Test
    void aBacklogDrainsWithoutWaitingForPolls() {
        config = config.withBatchSize(100).withWindow(128);
        for (int batch = 0; batch < 10; batch++) {
            Event[] events = new Event[200];
            for (int i = 0; i < events.length; i++) {
                events[i] = order("k" + i % 50, batch + "-" + i);
            }
            publish(events);
        }
        // Draining lets no time pass by a settable clock, and asks for none of a database's.
        drain(relay());
        assertThat(orders.sent()).hasSize(2000);
        assertThat(outbox()).isEmpty();
    }

    /** With less room than shards they take turns: one with nothing to read must not cost the others theirs. */
    @Test
    void aBacklogInOneShardDrainsWithoutReadingAllTheOthersForEachEntry() {
        config = config.withBatchSize(1);
        for (int i = 0; i < 100; i++) {
            publish(order("a", "e" + i));
        }
        drain(relay());
        assertThat(outbox()).isEmpty();
        assertThat(registry.get("outbox.fetch.duration").timer().count()).isLessThan(100 + 3 * Shards.COUNT);
    }

    @Test
    void nothingOfARolledBackTransactionIsDelivered() {
        try (StoreFixture.Transaction transaction = publishOpen(order("a", "ghost"))) {
            transaction.rollback();
        }
        RelayAgent relay = relay();
        drain(relay);
        runFor(POLL.multipliedBy(3), relay);
        assertThat(orders.sent()).isEmpty();
    }

    @Test
    void nothingBehindASavepointThatWasRolledBackIsDelivered() {
        try (StoreFixture.Transaction transaction = publishOpen(order("a", "kept"))) {
            Object savepoint = transaction.savepoint();
            transaction.append(List.of(order("a", "ghost")), Set.of());
            transaction.rollbackTo(savepoint);
            transaction.commit();
        }
        drain(relay());
        assertThat(orders.texts()).containsExactly("kept");
    }

    @Test
    void aLateCommitIsDeliveredHoweverManyLaterOnesWentBefore() {
        RelayAgent relay = relay();
        drain(relay);
        try (StoreFixture.Transaction late = publishOpen(order("late", "late"))) {
            for (int i = 0; i < 200; i++) {
                publish(order("k" + i % 20, "e" + i), order("late", "l" + i));
                if (i % 20 == 0) {
                    drain(relay);
                    runFor(POLL.dividedBy(2), relay);
                }
            }
            runFor(POLL.multipliedBy(5), relay);
            assertThat(orders.sent()).hasSize(400);
            late.commit();
        }
        runUntil(() -> orders.texts().contains("late"), POLL.multipliedBy(2), relay);
        assertThat(orders.sent()).hasSize(401);
    }

    @Test
    void aLateCommitAfterALongSilenceIsDelivered() {
        RelayAgent relay = relay();
        publish(order("a", "first"));
        try (StoreFixture.Transaction late = publishOpen(order("b", "late"))) {
            publish(order("a", "second"));
            runFor(POLL.multipliedBy(10), relay);
            late.commit();
        }
        runUntil(() -> orders.sent().size() == 3, POLL.multipliedBy(2), relay);
    }

    /** A database may list the writers after the snapshot that the entries come from. */
    @Test
    void aCommitBetweenAScanAndItsListOfWritersIsDelivered() {
        StoreFixture.Transaction late = publishOpen(order("late", "late"));
        AtomicReference<Runnable> betweenOnce = new AtomicReference<>(() -> {});
        RelayAgent relay = relay(doingBetween(betweenOnce));
        publish(order("late", "later"));
        runFor(POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("later");
        betweenOnce.set(late::commit);
        runUntil(() -> orders.texts().contains("late"), POLL.multipliedBy(5), relay);
        late.close();
    }

    private OutboxStore doingBetween(AtomicReference<Runnable> betweenOnce) {
        OutboxStore store = fixture.store();
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    Object result = method.invoke(store, args);
                    if (!(result instanceof Scan scan)) {
                        return result;
                    }
                    betweenOnce.getAndSet(() -> {}).run();
                    return new Scan(
                            scan.pages(), ((Scan) method.invoke(store, args)).writers(), scan.drawn(), scan.paused());
                });
    }

    @Test
    void aFailedDeliveryIsTriedAgainUntilItArrives() {
        orders.answering(delivery ->
                Optional.of(delivery.attempt() < 3 ? DeliveryResult.retry("not yet") : DeliveryResult.delivered()));
        publish(order("a", "e"));
        RelayAgent relay = relay();
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(orders.sent()).extracting(Delivery::attempt).containsExactly(1, 2, 3);
        assertThat(orders.sent())
                .extracting(delivery -> delivery.event().id())
                .hasSize(3)
                .containsOnly(orders.sent().get(0).event().id());
    }

    @Test
    void aFailureIsKeptWithItsReason() {
        orders.answeringAll(DeliveryResult.retryAfter("the reason", Duration.ofMinutes(5)));
        publish(order("a", "e"));
        drain(relay());
        Entry entry = outbox().get(0);
        assertThat(entry.attempts()).isEqualTo(1);
        assertThat(entry.lastError()).isEqualTo("the reason");
        assertThat(entry.dueIn()).isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    void whatFailsTooOftenIsADeadLetterAndNotLost() {
        orders.answeringAll(DeliveryResult.retry("never"));
        publish(keyless("e"));
        RelayAgent relay = relay();
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(orders.sent()).hasSize(3);
        List<DeadLetter> dead = fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).entry().lastError()).isEqualTo("never");
        assertThat(dead.get(0).entry().attempts()).isEqualTo(3);
        assertThat(relay.status().deadLetters()).isEqualTo(1);
    }

    @Test
    void aDeadLetterIsDeliveredWhenItIsRedriven() {
        orders.answeringAll(DeliveryResult.rejected("broken"));
        publish(keyless("e"));
        RelayAgent relay = relay();
        drain(relay);
        orders.answeringAll(DeliveryResult.delivered());
        long sequence = fixture.deadLetters()
                .list(DeadLetterFilter.all(), 0, 10)
                .get(0)
                .entry()
                .sequence();
        assertThat(fixture.deadLetters().redrive(sequence, TESTER)).isTrue();
        runUntil(() -> orders.sent().size() == 2, POLL.multipliedBy(3), relay);
        assertThat(fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10)).isEmpty();
        assertThat(outbox()).isEmpty();
    }

    @Test
    void aDelayedEventComesWhenItIsDueAndNotBefore() {
        Event delayed = Event.to(ORDERS)
                .type("order")
                .availableAt(fixture.now().plusMillis(500))
                .json("later")
                .build();
        publish(delayed, keyless("now"));
        RelayAgent relay = relay();
        runFor(Duration.ofMillis(200), relay);
        assertThat(orders.texts()).containsExactly("now");
        runUntil(() -> orders.sent().size() == 2, Duration.ofMillis(500), relay);
        assertThat(orders.texts()).containsExactly("now", "later");
    }

    @Test
    void manyEventsThatAreDueTogetherComeWithoutWaitingForPolls() {
        config = config.withBatchSize(20);
        Instant due = fixture.now().plusMillis(300);
        publish(IntStream.range(0, 100)
                .mapToObj(i -> Event.to(ORDERS).type("order").availableAt(due).build())
                .toArray(Event[]::new));
        RelayAgent relay = relay();
        drain(relay);
        fixture.passTime(Duration.ofMillis(400));
        drain(relay);
        assertThat(orders.sent()).hasSize(100);
    }

    @Test
    void anEventForADestinationWithoutARouteWaits() {
        publish(Event.to("nowhere").key("a").type("t").build(), order("a", "e"));
        RelayAgent relay = relay();
        runFor(POLL.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("e");
        assertThat(outbox()).extracting(Entry::destination).containsExactly("nowhere");
        assertThat(relay.status().pausedDestinations()).containsEntry("nowhere", "no route");
    }

    @Test
    void aTransportThatThrowsCostsAnAttemptAndNothingElse() {
        orders.answering(delivery -> {
            if (delivery.attempt() == 1) {
                throw new IllegalStateException("no connection");
            }
            return Optional.of(DeliveryResult.delivered());
        });
        publish(order("a", "e1"));
        publish(order("a", "e2"));
        RelayAgent relay = relay();
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(orders.texts()).containsExactly("e1", "e1", "e2", "e2");
    }

    @Test
    void aSendWithoutAnAnswerIsRepeatedAfterTheTimeout() {
        orders.answering(
                delivery -> delivery.attempt() == 1 ? Optional.empty() : Optional.of(DeliveryResult.delivered()));
        publish(order("a", "e1"), order("a", "e2"));
        RelayAgent relay = relay();
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), relay);
        assertThat(orders.texts()).containsExactly("e1", "e1", "e2", "e2");
    }

    @Test
    void theSecondAnswerToADeliveryIsIgnored() {
        orders.answeringNothing();
        publish(order("a", "e1"), order("a", "e2"));
        RelayAgent relay = relay();
        drain(relay);
        orders.answer(0, DeliveryResult.delivered());
        orders.answer(0, DeliveryResult.rejected("contradiction"));
        drain(relay);
        orders.answer(0, DeliveryResult.delivered());
        drain(relay);
        assertThat(orders.texts()).containsExactly("e1", "e2");
        assertThat(outbox()).hasSize(1);
        assertThat(fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10)).isEmpty();
    }

    @Test
    void aLateAnswerIsNotCreditedToALaterSend() {
        orders.answeringNothing();
        publish(order("a", "e1"), order("a", "e2"));
        RelayAgent relay = relay();
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(5), relay);
        assertThat(orders.texts()).containsExactly("e1", "e1");
        orders.answer(0, DeliveryResult.delivered());
        drain(relay);
        assertThat(orders.texts())
                .as("e2 waits for the answer to the second send")
                .containsExactly("e1", "e1");
        assertThat(outbox()).hasSize(2);
        orders.answer(1, DeliveryResult.delivered());
        drain(relay);
        assertThat(orders.texts()).containsExactly("e1", "e1", "e2");
    }

    @Test
    void anEventThatIsDueInThousandsOfYearsStopsNobody() {
        publish(Event.to(ORDERS)
                .type("order")
                .availableAt(Instant.parse("9999-01-01T00:00:00Z"))
                .build());
        publish(keyless("now"));
        RelayAgent relay = relay();
        runFor(POLL.multipliedBy(2), relay);
        assertThat(orders.texts()).containsExactly("now");
        assertThat(relay.status().leaseLosses()).isZero();
    }

    @Test
    void aDestinationThatAsksForAnEndlessPauseStopsNobody() {
        orders.answeringAll(DeliveryResult.retryAfter("later", Duration.ofDays(400_000)));
        publish(keyless("e"));
        RelayAgent relay = relay();
        runFor(POLL.multipliedBy(2), relay);
        assertThat(orders.sent()).hasSize(1);
        assertThat(relay.status().leaseLosses()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // what a careless transport does
    void aTransportThatAnswersNothingHasNotDelivered() {
        orders.answeringNothing();
        publish(keyless("e"));
        RelayAgent relay = relay();
        drain(relay);
        orders.answer(0, null);
        drain(relay);
        assertThat(outbox()).hasSize(1);
        assertThat(outbox().get(0).attempts()).isEqualTo(1);
        orders.answeringAll(DeliveryResult.retry(null));
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(2), relay);
        drain(relay);
        assertThat(outbox().get(0).lastError()).isEqualTo("no reason given");
        assertThat(relay.status().leaseLosses()).isZero();
    }

    @Test
    void aHugeTransactionThatCommitsLateDoesNotFloodTheRelay() {
        config = config.withWindow(64).withBatchSize(32);
        RelayAgent relay = relay();
        Event[] many = new Event[2000];
        for (int i = 0; i < many.length; i++) {
            many[i] = i % 2 == 0 ? keyless("n" + i) : order("k" + i % 100, "k" + i);
        }
        int before;
        try (StoreFixture.Transaction late = publishOpen(many)) {
            // Something later in every shard, so that the scans have passed all of the transaction.
            for (int i = 0; i < 500; i++) {
                publish(order("later" + i, "later"));
            }
            drain(relay);
            before = orders.sent().size();
            orders.answeringNothing();
            late.commit();
        }
        drain(relay);
        assertThat(relay.status().inHand()).isLessThan(64 * 4);
        orders.answeringAll(DeliveryResult.delivered());
        for (int i = orders.sent().size() - 1; i >= before; i--) {
            orders.answer(i, DeliveryResult.delivered());
        }
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(20), relay);
        assertThat(orders.sent()).hasSize(2500);
    }

    @Test
    void outcomesWaitForOthersThatAreOnTheirWay() {
        config = config.withLease(Duration.ofMinutes(1))
                .withDeliveryTimeout(Duration.ofMinutes(1))
                .withSettleDelay(Duration.ofSeconds(5));
        RelayAgent relay = relay();
        orders.answeringNothing();
        publish(order("a", "a1"), order("b", "b1"));
        drain(relay);

        answer("a1");
        drain(relay);
        assertThat(outbox()).as("b1 is on its way").hasSize(2);
        publish(order("a", "a2"));
        drain(relay);
        assertThat(orders.texts()).as("the key does not wait for it").contains("a2");

        runFor(Duration.ofSeconds(5), relay);
        assertThat(outbox()).hasSize(2);
        answer("a2");
        answer("b1");
        drain(relay);
        assertThat(outbox()).as("nothing is left to wait for").isEmpty();
    }

    @Test
    void ofMoreThanABatchTheLowestAreSettledTogether() {
        RelayAgent relay = relayThatHasSent24();
        holdWrites();
        answerDown(23, 0);
        relay.doWork();
        finishWrites();
        assertThat(numbersInOutbox()).containsExactlyInAnyOrderElementsOf(numbers(10, 23));

        letWritesGo();
        drain(relay);
        assertThat(outbox()).isEmpty();
    }

    @Test
    void whatAFullBatchLeavesIsNotOvertakenTwice() {
        RelayAgent relay = relayThatHasSent24();
        holdWrites();
        answerDown(23, 10);
        relay.doWork();
        answerDown(9, 0);
        relay.doWork();
        finishWrites();
        assertThat(numbersInOutbox()).as("20 to 23 are left").containsAll(numbers(20, 23));

        relay.doWork();
        finishWrites();
        assertThat(numbersInOutbox()).containsExactlyInAnyOrderElementsOf(numbers(6, 9));
    }

    @Test
    void whatAFullBatchLeavesWaitsForCompany() {
        config = config.withLease(Duration.ofMinutes(10))
                .withPollInterval(Duration.ofMinutes(5))
                .withDeliveryTimeout(Duration.ofMinutes(5))
                .withSettleDelay(Duration.ofSeconds(5));
        RelayAgent relay = relayThatHasSent24();
        answerDown(4, 0);
        runFor(Duration.ofSeconds(4), relay);
        answerDown(14, 5);
        drain(relay);
        assertThat(numbersInOutbox()).containsExactlyInAnyOrderElementsOf(numbers(10, 23));

        runFor(Duration.ofSeconds(3), relay);
        assertThat(numbersInOutbox()).containsExactlyInAnyOrderElementsOf(numbers(10, 23));
        runFor(Duration.ofSeconds(3), relay);
        assertThat(numbersInOutbox()).containsExactlyInAnyOrderElementsOf(numbers(15, 23));
    }

    /** In batches of 10, events named by their order in the outbox. */
    private RelayAgent relayThatHasSent24() {
        config = config.withBatchSize(10);
        publish(numbers(0, 23).stream().map(RelayRig::keyless).toArray(Event[]::new));
        orders.answeringNothing();
        RelayAgent relay = relay();
        drain(relay);
        assertThat(orders.texts()).containsExactlyInAnyOrderElementsOf(numbers(0, 23));
        return relay;
    }

    private void answerDown(int from, int to) {
        for (int i = from; i >= to; i--) {
            answer("n" + i);
        }
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "n" + i).toList();
    }

    private List<String> numbersInOutbox() {
        return outbox().stream().map(entry -> entry.event().payload().utf8()).toList();
    }

    private void answer(String text) {
        orders.answer(orders.texts().indexOf(text), DeliveryResult.delivered());
    }
}
