package dev.waybill.testkit.relay;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.relay.RelayAgent;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ScanCursor;
import dev.waybill.testkit.store.StoreFixture;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.core.instrument.Counter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Promises 1, 3 and 4 while the database goes away in the middle of anything. */
abstract class StoreFailureContract extends RelayRig {

    @Test
    void aStoreThatGoesAwayInAFetchLosesNothing() {
        survives(failing -> failing.failBefore("scan"));
    }

    @Test
    void aStoreThatGoesAwayInASettleLosesNothing() {
        survives(failing -> failing.failBefore("settle"));
    }

    @Test
    void aStoreThatGoesAwayInARenewalLosesNothing() {
        survives(failing -> failing.failBefore("renew"));
    }

    @Test
    void aStoreThatGoesAwayWhileShardsAreTakenLosesNothing() {
        survives(failing -> failing.failBefore("take"));
        survives(failing -> failing.failBefore("readParked"));
    }

    @Test
    void aSettleWithAnUnknownOutcomeLosesNothingAndKeepsOrder() {
        survives(failing -> failing.failAfter("settle"));
    }

    @Test
    void shardsTakenWithAnUnknownOutcomeAreTakenAnew() {
        survives(failing -> failing.failAfter("take"));
        survives(failing -> failing.failAfter("renew"));
        survives(failing -> failing.failAfter("retake"));
    }

    /** Nobody has a lease there, and sequences that were read before are drawn again. */
    @Test
    void onAStandbyThatIsBehindNothingIsSkipped() {
        StoreFixture primary = fixture;
        try (StoreFixture standby = open()) {
            RelayAgent relay = relay(wherever());
            for (int i = 0; i < 50; i++) {
                publish(order("k" + i % 5, "before"));
            }
            drain(relay);
            assertThat(orders.sent()).hasSize(50);

            fixture = standby;
            drain(relay);
            publish(order("k1", "a1"), order("k1", "a2"), order("k2", "b1"));
            runFor(LEASE.multipliedBy(2), relay);

            assertThat(orders.texts().subList(50, orders.texts().size())).containsExactlyInAnyOrder("a1", "a2", "b1");
            assertThat(outbox()).isEmpty();
        } finally {
            fixture = primary;
        }
    }

    private void survives(Consumer<FailingStore> failure) {
        FailingStore failing = new FailingStore(fixture.store());
        RelayAgent relay = relay(failing.proxy());
        int before = orders.sent().size();
        for (int i = 0; i < 10; i++) {
            publish(order("a", "a" + i), order("b", "b" + i));
        }
        failure.accept(failing);
        runFor(Duration.ofMillis(400), relay);
        failing.heal();
        runUntil(() -> outbox().isEmpty(), LEASE.multipliedBy(3), relay);
        List<String> first = List.copyOf(new LinkedHashSet<>(
                orders.texts().subList(before, orders.texts().size())));
        assertThat(first).hasSize(20);
        assertThat(first).filteredOn(text -> text.startsWith("a")).isSorted();
        assertThat(first).filteredOn(text -> text.startsWith("b")).isSorted();
        relay.beginStop();
        drain(relay);
    }

    @Test
    void anUnknownSettleOutcomeIsFollowedByANewEpoch() {
        publish(order("a", "a1"));
        FailingStore failing = new FailingStore(fixture.store());
        RelayAgent relay = relay(failing.proxy());
        long before = epoch();
        failing.failBefore("settle");
        drain(relay);
        long failed = epoch();
        assertThat(failed).isGreaterThan(before);
        failing.heal();
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(3), relay);
        assertThat(epoch()).isGreaterThan(failed);
        assertThat(orders.texts()).containsExactly("a1");
    }

    @Test
    void whatHasArrivedIsNotSentAgainWhileTheStoreCannotWriteItDown() {
        FailingStore failing = new FailingStore(fixture.store());
        RelayAgent relay = relay(failing.proxy());
        failing.failBefore("settle");
        publish(order("a", "a1"), order("b", "b1"));
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(1), relay);
        publish(order("a", "a2"), order("c", "c1"));
        runFor(Duration.ofSeconds(5), relay);
        assertThat(orders.texts()).doesNotHaveDuplicates();
        failing.heal();
        runUntil(() -> outbox().isEmpty(), LEASE.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactlyInAnyOrder("a1", "b1", "a2", "c1");
        assertThat(relay.status().delivered()).isEqualTo(4);
        assertThat(registry.get("outbox.entries.delivered").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum())
                .isEqualTo(4);
    }

    /** A person has released it since: it is the same entry, and is to be sent. */
    @Test
    void whatArrivedBeforeAnotherRelayHadTheShardIsForgotten() {
        FailingStore failing = new FailingStore(fixture.store());
        RelayAgent relay = relay(failing.proxy());
        failing.failBefore("settle");
        publish(order("a", "a1"));
        runUntil(() -> orders.sent().size() == 1, Duration.ofSeconds(1), relay);
        failing.failBefore("retake");
        orders.answeringAll(DeliveryResult.rejected("broken"));
        RelayAgent other = relay();
        runUntil(() -> deadLetters().size() == 1, LEASE.multipliedBy(3), relay, other);
        failing.heal();
        other.beginStop();
        runUntil(() -> relay.status().ownedShards() == 64, LEASE.multipliedBy(3), relay, other);

        failing.failBefore("scan");
        drain(relay);
        orders.answeringAll(DeliveryResult.delivered());
        assertThat(fixture.deadLetters().release(key("a"), TESTER)).isTrue();
        runUntil(() -> outbox().size() == 1, LEASE.multipliedBy(3), relay);
        runFor(Duration.ofMillis(400), relay);
        failing.heal();
        runUntil(() -> outbox().isEmpty(), LEASE.multipliedBy(3), relay);
        assertThat(orders.texts()).containsExactly("a1", "a1", "a1");
    }

    /** There the relay has leases, as if they had been copied in time; the entry was not, and its sequence is drawn again. */
    @Test
    void whatArrivedIsNotTakenForAnotherEventWithItsSequence() {
        StoreFixture primary = fixture;
        FailingStore failing = new FailingStore(wherever());
        RelayAgent relay = relay(failing.proxy());
        try (StoreFixture standby = open()) {
            failing.failBefore("settle");
            publish(order("a", "a1"));
            runUntil(() -> orders.sent().size() == 1, Duration.ofSeconds(1), relay);
            drain(relay);

            fixture = standby;
            standby.store().take(relay.status().relay(), 64, LEASE);
            publish(order("a", "another"));
            failing.heal();
            runUntil(() -> outbox().isEmpty(), LEASE.multipliedBy(3), relay);
            assertThat(orders.texts()).containsExactly("a1", "another");
        } finally {
            fixture = primary;
        }
    }

    @Test
    void anAnswerToASendFromBeforeTheFailureIsIgnored() {
        orders.answeringNothing();
        publish(order("a", "a1"));
        FailingStore failing = new FailingStore(fixture.store());
        RelayAgent relay = relay(failing.proxy());
        drain(relay);
        failing.failBefore("scan");
        drain(relay);
        failing.heal();
        runUntil(() -> orders.sent().size() == 2, Duration.ofSeconds(1), relay);
        orders.answer(0, DeliveryResult.rejected("of the first send"));
        drain(relay);
        assertThat(deadLetters()).isEmpty();
        orders.answer(1, DeliveryResult.delivered());
        drain(relay);
        assertThat(outbox()).isEmpty();
    }

    /** The store of whatever fixture there is at the moment. */
    private OutboxStore wherever() {
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> method.invoke(fixture.store(), args));
    }

    private List<DeadLetter> deadLetters() {
        return fixture.deadLetters().list(DeadLetterFilter.all(), 0, 10);
    }

    private long epoch() {
        return fixture.store()
                .scan(UUID.randomUUID(), List.of(new ScanCursor(key("a").shard(), 0, 0, 1, 1, Set.of())))
                .pages()
                .get(0)
                .lease()
                .epoch();
    }
}
