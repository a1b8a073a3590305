package dev.waybill.testkit.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxHandler;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.LeaseLostException;
import dev.waybill.inbox.Origin;
import dev.waybill.testkit.store.InParallel;
import dev.waybill.transport.Delivery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every inbox promises about effects, as tests. An implementation adds a subclass that supplies an
 * {@link InboxFixture}.
 *
 * @param <T> the transaction
 */
public abstract class InboxContract<T> extends InboxTestBase<T> {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Inbox<T> inbox;

    @BeforeEach
    void makeInbox() {
        inbox = new Inbox<>(store, registry);
    }

    @Test
    void anEventTakesEffectOnceHoweverOftenItIsDelivered() throws Exception {
        Delivery delivery = delivery("42");

        assertThat(inbox.handle(STOCK, delivery, effect("reserved"))).isTrue();
        assertThat(inbox.handle(STOCK, delivery, effect("reserved"))).isFalse();
        assertThat(inbox.handle(STOCK, delivery, effect("reserved"))).isFalse();

        assertThat(fixture.effects()).containsExactly("reserved");
        assertThat(checks("hit")).isEqualTo(2);
        assertThat(checks("miss")).isEqualTo(1);
    }

    @Test
    void aFailureLeavesNoTraceSoThatTheEventCanComeAgain() throws Exception {
        Delivery delivery = delivery("42");

        assertThatThrownBy(() -> inbox.handle(STOCK, delivery, (transaction, same) -> {
                    fixture.effect(transaction, "half done");
                    throw new IllegalArgumentException("out of stock");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("out of stock");

        assertThat(fixture.effects()).isEmpty();
        assertThat(inbox.handle(STOCK, delivery, effect("reserved"))).isTrue();
        assertThat(fixture.effects()).containsExactly("reserved");
    }

    @Test
    void twoConsumersOfOneEventBothHandleIt() throws Exception {
        Delivery delivery = delivery("42");

        assertThat(inbox.handle(STOCK, delivery, effect("reserved"))).isTrue();
        assertThat(inbox.handle(MAILS, delivery, effect("mailed"))).isTrue();
        assertThat(inbox.handle("STOCK", delivery, effect("another name"))).isTrue();

        assertThat(fixture.effects()).containsExactly("reserved", "mailed", "another name");
    }

    @Test
    void twoInstancesOfOneConsumerHandleAnEventOnce() {
        Inbox<T> other = new Inbox<>(store);
        try (InParallel threads = new InParallel()) {
            for (int round = 0; round < 10; round++) {
                Delivery delivery = delivery("42");
                String effect = "round " + round;
                assertThat(threads.<Boolean>together(List.of(
                                () -> inbox.handle(STOCK, delivery, effect(effect)),
                                () -> other.handle(STOCK, delivery, effect(effect)),
                                () -> inbox.handle(STOCK, delivery, effect(effect)))))
                        .containsOnlyOnce(true);
            }
        }
        assertThat(fixture.effects())
                .isEqualTo(IntStream.range(0, 10)
                        .mapToObj(round -> "round " + round)
                        .toList());
    }

    @Test
    void aClaimWaitsForTheEndOfTheTransactionThatHasIt() {
        Delivery delivery = delivery("42");
        T first = fixture.begin();
        store.claim(first, keyOf(STOCK, delivery), Origin.SOURCE);
        fixture.effect(first, "by the first");
        try (InParallel threads = new InParallel()) {
            Future<Boolean> second = threads.start(() -> inbox.handle(STOCK, delivery, effect("by the second")));

            assertThat(InParallel.isHeldUp(second)).isTrue();
            fixture.commit(first);

            assertThat(InParallel.result(second)).isFalse();
        }
        assertThat(fixture.effects()).containsExactly("by the first");
    }

    @Test
    void whatARolledBackTransactionClaimedIsFree() {
        Delivery delivery = delivery("42");
        T first = fixture.begin();
        store.claim(first, keyOf(STOCK, delivery), Origin.SOURCE);
        try (InParallel threads = new InParallel()) {
            Future<Boolean> second = threads.start(() -> inbox.handle(STOCK, delivery, effect("by the second")));

            assertThat(InParallel.isHeldUp(second)).isTrue();
            fixture.rollback(first);

            assertThat(InParallel.result(second)).isTrue();
        }
        assertThat(fixture.effects()).containsExactly("by the second");
    }

    @Test
    void aReplayTakesEffectOnceInEachGeneration() throws Exception {
        Delivery delivery = delivery("42");
        inbox.handle(STOCK, delivery, effect("first"));

        assertThat(inbox.handle(STOCK, inReplay(delivery, 3), effect("replay 3")))
                .isTrue();
        assertThat(inbox.handle(STOCK, inReplay(delivery, 3), effect("replay 3")))
                .isFalse();
        assertThat(inbox.handle(STOCK, inReplay(delivery, 4), effect("replay 4")))
                .isTrue();

        assertThat(fixture.effects()).containsExactly("first", "replay 3", "replay 4");
    }

    @Test
    void anEventIsHandledInTheCallersTransaction() throws Exception {
        Delivery delivery = delivery("42");
        T abandoned = fixture.begin();
        assertThat(inbox.handle(abandoned, STOCK, delivery, effect("never"))).isTrue();
        assertThat(inbox.handle(abandoned, STOCK, delivery, effect("never")))
                .as("it sees its own claim")
                .isFalse();
        fixture.rollback(abandoned);

        T kept = fixture.begin();
        assertThat(inbox.handle(kept, STOCK, delivery, effect("reserved"))).isTrue();
        fixture.commit(kept);

        assertThat(fixture.effects()).containsExactly("reserved");
    }

    @Test
    void aPollIsCheckedInOneCall() throws Exception {
        List<Delivery> poll = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            poll.add(delivery("key-" + i));
        }
        inbox.handle(STOCK, poll.get(1), effect("second"));
        inbox.handle(MAILS, poll.get(2), effect("of another consumer"));
        fixture.inbox().inTransaction(transaction -> store.claimAside(transaction, keyOf(STOCK, poll.get(3))));
        fixture.inbox()
                .inTransaction(transaction -> store.lease(transaction, keyOf(STOCK, poll.get(4)), Origin.SOURCE, LONG));
        poll.add(poll.get(0));

        assertThat(inbox.unseen(STOCK, poll)).containsExactly(poll.get(0), poll.get(2), poll.get(4), poll.get(5));
        assertThat(inbox.unseen(STOCK, List.of())).isEmpty();
        assertThat(inbox.handleAll(MAILS, poll, effect("mailed"))).isEqualTo(5);
    }

    @Test
    void aHugePollIsCheckedToo() throws Exception {
        List<Delivery> poll =
                IntStream.range(0, 5_000).mapToObj(i -> delivery("key-" + i)).toList();
        inbox.handle(STOCK, poll.get(4_999), effect("last"));

        assertThat(inbox.unseen(STOCK, poll)).isEqualTo(poll.subList(0, 4_999));
    }

    @Test
    void aLeasedEventIsBusyUntilItIsDone() throws Exception {
        Delivery delivery = delivery("42");

        assertThat(inbox.handleLeased(STOCK, delivery, LONG, (same, epoch) -> {
                    assertThatThrownBy(() -> inbox.handle(STOCK, delivery, effect("meanwhile")))
                            .isInstanceOfSatisfying(
                                    DeferredException.class,
                                    e -> assertThat(e.retryAfter())
                                            .isBetween(LONG.minusMinutes(1), LONG.plusMinutes(1)));
                    assertThatThrownBy(() -> inbox.handleLeased(STOCK, delivery, LONG, (again, later) -> {}))
                            .isInstanceOf(DeferredException.class);
                }))
                .isTrue();

        assertThat(inbox.handleLeased(STOCK, delivery, LONG, (same, epoch) -> {}))
                .isFalse();
        assertThat(inbox.handle(STOCK, delivery, effect("afterwards"))).isFalse();
        assertThat(fixture.effects()).isEmpty();
    }

    @Test
    void aFailedLeasedEventIsFreeAtOnce() throws Exception {
        Delivery delivery = delivery("42");
        assertThatThrownBy(() -> inbox.handleLeased(STOCK, delivery, LONG, (same, epoch) -> {
                    throw new java.io.IOException("no connection");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(store.seen(List.of(keyOf(STOCK, delivery)))).isEmpty();

        AtomicInteger calls = new AtomicInteger();
        assertThat(inbox.handleLeased(STOCK, delivery, LONG, (same, epoch) -> calls.incrementAndGet()))
                .isTrue();
        assertThat(calls).hasValue(1);
    }

    @Test
    void anExpiredLeaseIsTakenOverAndTheFirstOneIsFenced() throws Exception {
        Delivery delivery = delivery("42");
        List<Long> epochs = new ArrayList<>();

        assertThatThrownBy(() -> inbox.handleLeased(STOCK, delivery, SHORT, (same, epoch) -> {
                    epochs.add(epoch);
                    fixture.passTime(SHORT.plusMillis(100));
                    assertThat(inbox.handleLeased(STOCK, delivery, LONG, (again, higher) -> epochs.add(higher)))
                            .isTrue();
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(epochs).hasSize(2);
        assertThat(epochs.get(1)).isGreaterThan(epochs.get(0));
        assertThat(claim(delivery, Origin.SOURCE).status()).isEqualTo(Claim.Status.DONE);
    }

    @Test
    void anExpiredLeaseThatNobodyTookStillCounts() throws Exception {
        Delivery delivery = delivery("42");

        assertThat(inbox.handleLeased(STOCK, delivery, SHORT, (same, epoch) -> fixture.passTime(SHORT.plusMillis(100))))
                .isTrue();

        assertThat(claim(delivery, Origin.SOURCE).status()).isEqualTo(Claim.Status.DONE);
    }

    @Test
    void aLeaseThatWasTakenOverReleasesNothing() throws Exception {
        InboxKey key = keyOf(STOCK, delivery("42"));
        Claim first = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SOURCE, SHORT));
        fixture.passTime(SHORT.plusMillis(100));
        Claim second = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SOURCE, LONG));

        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(store.<Boolean>inTransaction(
                        transaction -> store.release(transaction, key, first.epoch(), Origin.SOURCE)))
                .isFalse();
        assertThat(store.<Boolean>inTransaction(transaction -> store.complete(transaction, key, first.epoch())))
                .isFalse();
        assertThat(store.<Boolean>inTransaction(transaction -> store.complete(transaction, key, second.epoch())))
                .isTrue();
    }

    @Test
    void whatIsAsideIsADuplicateForTheSourceAndFreeForTheSiding() throws Exception {
        Delivery delivery = delivery("42");
        Claim aside = store.inTransaction(transaction -> store.claimAside(transaction, keyOf(STOCK, delivery)));

        assertThat(aside.isTaken()).isTrue();
        assertThat(claim(delivery, Origin.SOURCE).status()).isEqualTo(Claim.Status.ASIDE);
        assertThat(claim(delivery, Origin.SIDING).status()).isEqualTo(Claim.Status.TAKEN);
        assertThat(claim(delivery, Origin.SIDING).status()).isEqualTo(Claim.Status.DONE);
        assertThat(claim(delivery, Origin.SOURCE).status()).isEqualTo(Claim.Status.DONE);
    }

    @Test
    void aLeaseFromTheSidingIsAsideAgainWhenItIsReleased() throws Exception {
        InboxKey key = keyOf(STOCK, delivery("42"));
        store.inTransaction(transaction -> store.claimAside(transaction, key));
        Claim lease = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SIDING, LONG));

        assertThat(store.<Boolean>inTransaction(
                        transaction -> store.release(transaction, key, lease.epoch(), Origin.SIDING)))
                .isTrue();

        assertThat(store.inTransaction(transaction -> store.claim(transaction, key, Origin.SOURCE))
                        .status())
                .isEqualTo(Claim.Status.ASIDE);
    }

    /** Otherwise a redelivery would put it aside a second time, or handle it after somebody discarded it. */
    @Test
    void aLeaseFromTheSidingLeavesTheEventAsideForTheSource() throws Exception {
        Delivery delivery = delivery("42");
        InboxKey key = keyOf(STOCK, delivery);
        store.inTransaction(transaction -> store.claimAside(transaction, key));
        Claim lost = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SIDING, SHORT));

        assertThat(claim(delivery, Origin.SOURCE).status()).as("leased").isEqualTo(Claim.Status.ASIDE);
        fixture.passTime(SHORT.plusMillis(100));
        assertThat(claim(delivery, Origin.SOURCE).status()).as("expired").isEqualTo(Claim.Status.ASIDE);
        assertThat(store.inTransaction(transaction -> store.claimAside(transaction, key))
                        .status())
                .isEqualTo(Claim.Status.ASIDE);
        assertThat(store.seen(List.of(key))).containsExactly(key);

        Claim next = store.inTransaction(transaction -> store.lease(transaction, key, Origin.SIDING, LONG));
        assertThat(next.epoch()).isGreaterThan(lost.epoch());
        assertThat(claim(delivery, Origin.SIDING).status()).isEqualTo(Claim.Status.BUSY);
        assertThat(store.<Boolean>inTransaction(transaction -> store.complete(transaction, key, next.epoch())))
                .isTrue();
        assertThat(claim(delivery, Origin.SOURCE).status()).isEqualTo(Claim.Status.DONE);
    }

    @Test
    void oneThatTheSidingForgotIsStillItsToHandle() {
        assertThat(claim(delivery("42"), Origin.SIDING).status()).isEqualTo(Claim.Status.TAKEN);
    }

    @Test
    void eventsAreForgottenWhenTheirTimeIsUp() throws Exception {
        // Longer than any machine needs from the second event to the end of the cleaning.
        Duration retention = Duration.ofSeconds(3);
        reopen(retention);
        makeInbox();
        Delivery old = delivery("42");
        inbox.handle(STOCK, old, effect("first"));
        for (int i = 0; i < 4; i++) {
            fixture.passTime(Duration.ofMillis(800));
        }
        Delivery young = delivery("42");
        inbox.handle(STOCK, young, effect("second"));

        int removed = 0;
        for (int portion = fixture.siding().clean();
                portion > 0;
                portion = fixture.siding().clean()) {
            removed += portion;
        }

        assertThat(removed).isEqualTo(1);
        assertThat(store.seen(List.of(keyOf(STOCK, old), keyOf(STOCK, young)))).containsExactly(keyOf(STOCK, young));
        assertThat(store.retention()).isEqualTo(retention);
    }

    @Test
    void eventIdsOfAnyKindAreRemembered() throws Exception {
        Event foreign = Event.to("orders")
                .id(new java.util.UUID(-1, -1))
                .type("OrderPlaced")
                .build();
        Delivery delivery = new Delivery(foreign, 0, 1, 0, 0);

        assertThat(inbox.handle(STOCK, delivery, effect("once"))).isTrue();
        assertThat(inbox.handle(STOCK, delivery, effect("twice"))).isFalse();
    }

    private Claim claim(Delivery delivery, Origin origin) {
        try {
            return store.inTransaction(transaction -> store.claim(transaction, keyOf(STOCK, delivery), origin));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private InboxHandler<T> effect(String what) {
        return (transaction, delivery) -> fixture.effect(transaction, what);
    }

    private double checks(String result) {
        return registry.get("idempotency.checks")
                .tag("consumer", STOCK)
                .tag("result", result)
                .counter()
                .count();
    }
}
