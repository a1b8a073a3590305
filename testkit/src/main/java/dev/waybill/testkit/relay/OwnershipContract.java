package dev.waybill.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayAgent;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Promises 5 and 9: several relays share the shards, hand them over, and nobody acts on what is no longer theirs. */
abstract class OwnershipContract extends RelayRig {

    @Test
    void relaysShareTheShardsFairlyAndHandThemOver() {
        RelayAgent first = relay();
        drain(first);
        assertThat(first.status().ownedShards()).isEqualTo(64);
        RelayAgent second = relay();
        RelayAgent third = relay();
        runUntil(
                () -> third.status().ownedShards() >= 20 && second.status().ownedShards() >= 20,
                LEASE.multipliedBy(3),
                first,
                second,
                third);
        assertThat(first.status().ownedShards()).isBetween(20, 22);
        second.beginStop();
        third.beginStop();
        runUntil(() -> first.status().ownedShards() == 64, LEASE.multipliedBy(3), first, second, third);
    }

    @Test
    void aTransportThatKeepsTheRelayUntilItsLeasesEndedIsTheLastOneToBeCalled() {
        publish(order("a", "1"), mail("m", "2"));
        RelayAgent relay = relay();
        orders.answering(this::afterTheLease);
        mails.answering(this::afterTheLease);
        while (orders.sent().size() + mails.sent().size() == 0) {
            relay.doWork();
        }
        assertThat(orders.sent().size() + mails.sent().size()).isEqualTo(1);

        orders.answeringAll(DeliveryResult.delivered());
        mails.answeringAll(DeliveryResult.delivered());
        runUntil(() -> outbox().isEmpty(), LEASE.multipliedBy(3), relay);
        assertThat(orders.sent()).isNotEmpty();
        assertThat(mails.sent()).isNotEmpty();
    }

    private Optional<DeliveryResult> afterTheLease(Delivery delivery) {
        fixture.passTime(LEASE.plusMillis(1));
        return Optional.of(DeliveryResult.delivered());
    }

    @Test
    void aHandOverSendsNothingTwiceAndKeepsOrder() {
        for (int i = 0; i < 200; i++) {
            publish(order("k" + i % 10, "" + i));
        }
        config = config.withWindow(16).withBatchSize(8);
        RelayAgent first = relay();
        orders.answeringNothing();
        drain(first);
        int inFlight = orders.sent().size();
        orders.answeringAll(DeliveryResult.delivered());
        RelayAgent second = relay();
        for (int i = 0; i < 20; i++) {
            first.doWork();
            second.doWork();
        }
        for (int i = 0; i < inFlight; i++) {
            orders.answer(i, DeliveryResult.delivered());
        }
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(5), first, second);
        assertThat(orders.sent()).hasSize(200);
        for (int key = 0; key < 10; key++) {
            String name = "k" + key;
            assertThat(orders.sent())
                    .filteredOn(delivery -> name.equals(delivery.event().key()))
                    .extracting(delivery ->
                            Integer.parseInt(delivery.event().payload().utf8()))
                    .isSorted();
        }
    }

    @Test
    void aSurvivorTakesOverWithinTheLeaseAndOnePoll() {
        RelayAgent dead = relay();
        drain(dead);
        RelayAgent survivor = relay();
        drain(survivor);
        Instant died = fixture.now();
        for (int i = 0; i < 20; i++) {
            publish(order("k" + i, "" + i));
        }
        runUntil(() -> orders.sent().size() == 20, LEASE.plus(POLL.multipliedBy(2)), survivor);
        assertThat(Duration.between(died, fixture.now())).isLessThanOrEqualTo(LEASE.plus(POLL.multipliedBy(2)));
    }

    @Test
    void aSurvivorTakesOverWithinAPollHoweverRarelyLeasesAreRenewed() {
        Duration lease = Duration.ofSeconds(3);
        config = config.withLease(lease);
        drain(relay());
        RelayAgent survivor = relay();
        drain(survivor);
        runUntil(() -> survivor.status().ownedShards() == 64, lease.plus(POLL.multipliedBy(2)), survivor);
    }

    @Test
    void aStalledRelayCannotSettleWhatItsSuccessorOwns() {
        publish(order("a", "a1"), order("a", "a2"));
        orders.answeringNothing();
        RelayAgent stalled = relay();
        drain(stalled);
        assertThat(orders.texts()).containsExactly("a1");
        RelayAgent successor = relay();
        runUntil(() -> orders.sent().size() == 2, LEASE.multipliedBy(2), successor);
        // The zombie wakes up with the answer to its own send, and must not settle a1 or go on with a2.
        orders.answer(0, DeliveryResult.delivered());
        drain(stalled);
        runFor(POLL.multipliedBy(2), stalled);
        assertThat(outbox()).hasSize(2);
        assertThat(orders.texts()).containsExactly("a1", "a1");
        orders.answer(1, DeliveryResult.delivered());
        orders.answeringAll(DeliveryResult.delivered());
        drain(successor);
        assertThat(outbox()).isEmpty();
        assertThat(orders.texts()).containsExactly("a1", "a1", "a2");
    }

    @Test
    void anAnswerAfterTheLeaseWasLostIsNoReasonToSendAgain() {
        config = config.withDeliveryTimeout(Duration.ofMinutes(1));
        publish(order("a", "a1"));
        orders.answeringNothing();
        RelayAgent stalled = relay();
        drain(stalled);
        RelayAgent successor = relay();
        runUntil(() -> orders.sent().size() == 2, LEASE.multipliedBy(2), successor);
        drain(stalled);
        orders.answer(0, DeliveryResult.unavailable("down"));
        // Longer than the pause before a probe, shorter than the successor's lease.
        runFor(LEASE.dividedBy(2), stalled);
        assertThat(orders.texts()).containsExactly("a1", "a1");
    }

    @Test
    void aRelayStopsSendingBeforeItsLeaseEnds() {
        RelayAgent relay = relay();
        drain(relay);
        fixture.passTime(LEASE.multipliedBy(9).dividedBy(10));
        publish(order("a", "a1"));
        // The first step after the pause renews before it sends; a relay that cannot renew must not send.
        RelayAgent other = relay(new FailingStore(fixture.store()).failingRenewals());
        drain(other);
        assertThat(orders.sent()).isEmpty();
        drain(relay);
        assertThat(orders.sent()).hasSize(1);
    }

    @Test
    void aGracefulStopSettlesWhatIsOnItsWayAndSendsNothingMore() {
        orders.answeringNothing();
        publish(order("a", "a1"), order("a", "a2"));
        RelayAgent relay = relay();
        drain(relay);
        relay.beginStop();
        drain(relay);
        assertThat(relay.isStopped()).isFalse();
        orders.answer(0, DeliveryResult.delivered());
        drain(relay);
        assertThat(relay.isStopped()).isTrue();
        assertThat(outbox()).hasSize(1);
        assertThat(orders.texts()).containsExactly("a1");
        RelayAgent next = relay();
        orders.answering(delivery -> Optional.of(DeliveryResult.delivered()));
        // Given back, not expired: the next one needs no waiting.
        drain(next);
        assertThat(orders.texts()).containsExactly("a1", "a2");
    }

    @Test
    void whatALeavingRelayGivesBackIsTakenAlthoughItStillWaitsForAnAnswer() {
        config = config.withDeliveryTimeout(Duration.ofMinutes(1));
        publish(order("a", "a1"));
        orders.answeringNothing();
        RelayAgent leaving = relay();
        drain(leaving);
        RelayAgent survivor = relay();
        runUntil(() -> survivor.status().ownedShards() >= 31, LEASE.multipliedBy(3), leaving, survivor);
        leaving.beginStop();
        runUntil(() -> survivor.status().ownedShards() == 63, POLL.multipliedBy(3), leaving, survivor);
        assertThat(leaving.isStopped()).isFalse();
    }

    @Test
    void aShardWithAProbeThatIsNeverAnsweredIsHandedOver() {
        orders.answeringNothing();
        for (int i = 0; i < 200; i++) {
            publish(order("k" + i, "" + i));
        }
        RelayAgent first = relay();
        drain(first);
        // All of them fail as unavailable: one stays as the probe, and is sent again without an answer.
        int sent = orders.sent().size();
        for (int i = 0; i < sent; i++) {
            orders.answer(i, DeliveryResult.unavailable("down"));
        }
        runUntil(() -> orders.sent().size() > sent, Duration.ofSeconds(2), first);
        RelayAgent second = relay();
        runUntil(
                () -> first.status().ownedShards() == 32 && second.status().ownedShards() == 32,
                Duration.ofSeconds(5),
                first,
                second);
    }
}
