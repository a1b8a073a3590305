package dev.waybill.transport.kafka;

import static dev.waybill.transport.kafka.DispatchRig.P0;
import static dev.waybill.transport.kafka.DispatchRig.P1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Receipt.Kind;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DispatchTest {
    private final StoreException away = new StoreException("away", new IllegalStateException());

    private final DispatchRig rig = new DispatchRig(4, 100, 10);
    private final Dispatch dispatch = rig.dispatch;

    @Test
    void oneOfAKeyIsInHandAtATimeAndTheyComeInOrder() {
        rig.assign(P0);
        rig.read(P0, "a@1", "a@2", "b@3", "a@4");

        List<Task.Handling> first = rig.all();
        assertThat(DispatchRig.names(first)).containsExactly("a@1", "b@3");
        rig.answer(first.get(0), Kind.HANDLED);

        assertThat(DispatchRig.names(rig.all())).containsExactly("a@2");
    }

    @Test
    void aKeyIsTheSameInAllPartitions() {
        rig.assign(P0);
        rig.assign(P1);
        rig.read(P0, "a@1");
        rig.read(P1, "a@1");

        assertThat(rig.all()).hasSize(1);
    }

    @Test
    void recordsWithoutAKeyDoNotWaitForEachOther() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2", "@3");

        assertThat(rig.all()).hasSize(3);
    }

    @Test
    void noMoreAreInHandThanThereAreWorkers() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2", "@3", "@4", "@5", "@6");

        assertThat(rig.all()).hasSize(4);
    }

    @Test
    void theFirstThatIsNotTakenIsWhereToGoOn() {
        rig.assign(P0);
        rig.read(P0, "a@1", "b@2", "c@5");
        List<Task.Handling> all = rig.all();

        rig.answer(all.get(1), Kind.HANDLED);
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 1L));
        rig.answer(all.get(0), Kind.ASIDE);
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 5L));
        rig.answer(all.get(2), Kind.DEAD);
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 6L));
    }

    @Test
    void whatIsCommittedIsNotCommittedAgain() {
        rig.assign(P0);
        dispatch.committed(Map.of(P0, 1L));
        assertThat(rig.uncommitted()).isEmpty();

        rig.read(P0, "a@1");
        assertThat(rig.uncommitted()).isEmpty();
        rig.handle(Kind.DUPLICATE, "a@1");
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 2L));
    }

    @Test
    void nothingIsCommittedOfAPartitionThatNothingWasReadOf() {
        dispatch.assigned(Set.of(P0));

        assertThat(rig.uncommitted()).isEmpty();
    }

    @Test
    void aTopicThatBeganAnewIsFollowed() {
        rig.assign(P0);
        rig.read(P0, "a@1", "b@2");
        dispatch.committed(Map.of(P0, 1L));
        rig.read(P0, "c@0", "d@1");

        List<Task.Handling> all = rig.all();
        rig.answer(all.get(0), Kind.HANDLED);
        rig.answer(all.get(1), Kind.HANDLED);
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 0L));
        rig.answer(all.get(2), Kind.HANDLED);
        // The one at offset 1 that was read first is not the one that is there now.
        assertThat(rig.uncommitted()).isEmpty();
        rig.answer(all.get(3), Kind.HANDLED);
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 2L));
    }

    @Test
    void whatWaitsOfAPartitionThatIsTakenAwayIsNotHandled() {
        rig.assign(P0);
        rig.assign(P1);
        rig.read(P0, "a@1", "a@2", "b@3");
        rig.read(P1, "a@1", "c@2");
        Task.Handling inHand = rig.next();

        dispatch.withdraw(Set.of(P0));

        assertThat(DispatchRig.names(rig.all())).containsExactly("c@2");
        assertThat(dispatch.isInHand(Set.of(P0))).isTrue();
        assertThat(dispatch.inFlight()).isEqualTo(3);
        rig.answer(inHand, Kind.HANDLED);
        assertThat(dispatch.isInHand(Set.of(P0))).isFalse();
        // The rest of the key comes from the other partition.
        assertThat(DispatchRig.names(rig.all())).containsExactly("a@1");
        // What was handled counts, and what was dropped is not passed over.
        assertThat(dispatch.uncommitted(Set.of(P0))).containsExactly(Map.entry(P0, 2L));
        dispatch.forget(Set.of(P0));
        assertThat(dispatch.uncommitted(Set.of(P0))).isEmpty();
        assertThat(dispatch.inFlight()).isEqualTo(2);
    }

    @Test
    void whatIsReadOfAPartitionThatIsTakenAwayIsNoneOfOurs() {
        rig.assign(P0);
        dispatch.withdraw(Set.of(P0));
        rig.read(P0, "a@1");
        rig.read(P1, "a@1");

        assertThat(rig.all()).isEmpty();
        assertThat(dispatch.inFlight()).isZero();
    }

    @Test
    void aLateAnswerDoesNotCountForAPartitionThatCameBack() {
        rig.assign(P0);
        rig.read(P0, "a@1");
        Task.Handling late = rig.next();
        dispatch.forget(Set.of(P0));
        dispatch.assigned(Set.of(P0));
        rig.read(P0, "a@1", "a@2");
        rig.check();

        // Nor does the record that came again pass the one in hand.
        assertThat(rig.all()).isEmpty();
        rig.answer(late, Kind.HANDLED);

        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 1L));
        rig.handle(Kind.DUPLICATE, "a@1");
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 2L));
    }

    @Test
    void whatIsDeferredAfterItsPartitionWentIsDropped() {
        rig.assign(P0);
        rig.read(P0, "a@1");
        Task.Handling inHand = rig.next();
        dispatch.withdraw(Set.of(P0));
        rig.answer(inHand, Kind.DEFERRED, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(2));

        assertThat(rig.all()).isEmpty();
        assertThat(dispatch.inFlight()).isZero();
        assertThat(dispatch.uncommitted(Set.of(P0))).containsExactly(Map.entry(P0, 1L));
    }

    @Test
    void nothingIsHandedOutWhileTheConsumerTakesNothing() {
        rig.assign(P0);
        rig.read(P0, "a@1", "b@2", "c@3", "a@4");
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ofSeconds(10));

        assertThat(rig.all()).isEmpty();
        assertThat(dispatch.hasRoom(rig.now())).isFalse();
        assertThat(dispatch.isHeldBack()).isTrue();
        assertThat(dispatch.untilDue(rig.now()))
                .isEqualTo(Duration.ofSeconds(10).toNanos());
        rig.advance(Duration.ofMillis(9_999));
        assertThat(rig.all()).isEmpty();
        rig.advance(Duration.ofMillis(1));

        assertThat(dispatch.hasRoom(rig.now())).isTrue();
        assertThat(rig.all()).hasSize(1);
    }

    @Test
    void aConsumerThatWasHeldBackIsProbedFirst() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2", "@3", "@4", "@5", "@6", "@7", "@8", "@9", "@10");
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));

        List<Task.Handling> probe = rig.all();
        assertThat(probe).hasSize(1);
        rig.answer(probe.get(0), Kind.HANDLED);
        List<Task.Handling> two = rig.all();
        assertThat(two).hasSize(2);
        rig.answer(two.get(0), Kind.HANDLED);
        assertThat(dispatch.isHeldBack()).isTrue();
        rig.answer(two.get(1), Kind.HANDLED);
        assertThat(rig.all()).hasSize(4);
        assertThat(dispatch.isHeldBack()).isFalse();
    }

    @Test
    void aProbeThatIsDeferredAgainWaitsAgain() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2");
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ZERO);

        // Not at once, even if it is asked for.
        assertThat(rig.all()).isEmpty();
        rig.advance(Brake.SHORTEST_DEFERRAL);
        assertThat(rig.all()).hasSize(1);
    }

    @Test
    void theLongestDeferralCounts() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2");
        List<Task.Handling> both = rig.all();
        rig.answer(both.get(0), Kind.DEFERRED, Duration.ofSeconds(5));
        rig.answer(both.get(1), Kind.DEFERRED, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(4));
        assertThat(rig.all()).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.all()).hasSize(1);
    }

    @Test
    void whatIsDeferredStaysTheFirstOfItsKey() {
        rig.assign(P0);
        rig.read(P0, "a@1", "a@2");
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));

        rig.handle(Kind.HANDLED, "a@1");
        rig.handle(Kind.HANDLED, "a@2");
    }

    @Test
    void anEventThatSomebodyIsAtHoldsItsKeyOnly() {
        rig.assign(P0);
        rig.read(P0, "a@1", "a@2", "b@3");
        rig.answer(rig.next(), Kind.BUSY, Duration.ofSeconds(1));

        rig.handle(Kind.HANDLED, "b@3");
        assertThat(rig.all()).isEmpty();
        assertThat(dispatch.isHeldBack()).isFalse();
        assertThat(dispatch.untilDue(rig.now())).isEqualTo(Duration.ofSeconds(1).toNanos());
        rig.read(P0, "a@4");
        assertThat(rig.all()).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        rig.handle(Kind.HANDLED, "a@1");
        rig.handle(Kind.HANDLED, "a@2");
        rig.handle(Kind.HANDLED, "a@4");
    }

    @Test
    void nobodySpinsWhileAProbeIsInHandAndAKeyIsDue() {
        rig.assign(P0);
        rig.read(P0, "a@1", "b@2", "c@3");
        rig.answer(rig.next(), Kind.BUSY, Duration.ofSeconds(5));
        rig.answer(rig.next(), Kind.DEFERRED, Duration.ofSeconds(2));
        rig.advance(Duration.ofSeconds(2));
        Task.Handling probe = rig.next();
        rig.advance(Duration.ofSeconds(4));

        assertThat(rig.take()).isNull();
        assertThat(dispatch.untilDue(rig.now())).isEqualTo(Long.MAX_VALUE);
        rig.answer(probe, Kind.HANDLED);
        assertThat(rig.all()).hasSize(2);
    }

    @Test
    void aStoreThatFailsIsAskedLessAndLessOften() {
        rig.assign(P0);
        rig.read(P0, "a@1");
        for (int millis : new int[] {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
            dispatch.failed(rig.next(), away, rig.now());
            assertThat(dispatch.hasRoom(rig.now())).isFalse();
            rig.advance(Duration.ofMillis(millis - 1));
            assertThat(rig.all()).isEmpty();
            rig.advance(Duration.ofMillis(1));
        }
        rig.handle(Kind.HANDLED, "a@1");
        rig.read(P0, "a@2");
        dispatch.failed(rig.next(), away, rig.now());
        rig.advance(Duration.ofMillis(100));
        rig.handle(Kind.HANDLED, "a@2");
    }

    @Test
    void failuresAtTheSameTimeCountAsOne() {
        rig.assign(P0);
        rig.read(P0, "@1", "@2", "@3", "@4");
        rig.all().forEach(task -> dispatch.failed(task, away, rig.now()));

        rig.advance(Duration.ofMillis(100));
        assertThat(rig.all()).hasSize(1);
    }

    /** Otherwise one event that the store cannot take would stop all. */
    @Test
    void whatFailsOfOneKeyDoesNotHoldTheOthersForEver() {
        rig.assign(P0);
        rig.read(P0, "bad@1", "a@2", "a@3", "a@4", "a@5", "a@6");
        int failures = 0;
        for (int taken = 0; taken < 5; ) {
            rig.advance(Duration.ofMillis(100));
            Task.Handling task = rig.next();
            if (DispatchRig.name(task).equals("bad@1")) {
                failures++;
                dispatch.failed(task, away, rig.now());
            } else {
                rig.answer(task, Kind.HANDLED);
                taken++;
            }
        }

        assertThat(failures).isBetween(1, 4);
        assertThat(dispatch.inFlight()).isEqualTo(1);
        dispatch.committed(Map.of(P0, 1L));
        assertThat(rig.uncommitted()).isEmpty();
    }

    @Test
    void thereIsRoomUntilAPollWouldNotFitAndThenAfterHalfIsGone() {
        DispatchRig small = new DispatchRig(100, 20, 5);
        small.assign(P0);
        for (int i = 1; i <= 15; i++) {
            assertThat(small.dispatch.hasRoom(small.now())).isTrue();
            small.read(P0, "@" + i);
        }
        assertThat(small.dispatch.hasRoom(small.now())).isTrue();
        small.read(P0, "@16");
        assertThat(small.dispatch.hasRoom(small.now())).isFalse();

        List<Task.Handling> all = small.all();
        for (int i = 0; i < 5; i++) {
            small.answer(all.get(i), Kind.HANDLED);
            assertThat(small.dispatch.hasRoom(small.now())).isFalse();
        }
        small.answer(all.get(5), Kind.HANDLED);
        assertThat(small.dispatch.hasRoom(small.now())).isTrue();
    }

    @Test
    void theSmallestWindowsHaveRoom() {
        for (int[] sizes : new int[][] {{1, 1}, {2, 2}, {5, 5}, {1_000, 1_000}}) {
            DispatchRig small = new DispatchRig(1, sizes[0], sizes[1]);
            assertThat(small.dispatch.hasRoom(0)).isTrue();
            small.assign(P0);
            assertThat(small.dispatch.hasRoom(0)).isTrue();
            small.read(P0, "a@1");
            assertThat(small.dispatch.hasRoom(0)).isFalse();
            small.handle(Kind.HANDLED, "a@1");
            assertThat(small.dispatch.hasRoom(0)).isTrue();
        }
    }

    @Test
    void theFirstRecordsOfAPartitionAreCheckedAndWhatWasSeenIsTaken() {
        dispatch.assigned(Set.of(P0));
        rig.read(P0, "a@1", "b@2", "a@3");
        Task.Check check = rig.nextCheck();
        // Nothing passes it meanwhile.
        rig.read(P0, "a@4");
        assertThat(rig.take()).isNull();
        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 1L));
        dispatch.checked(check, check.deliveries().subList(2, 3), rig.now());

        assertThat(rig.uncommitted()).containsExactly(Map.entry(P0, 3L));
        assertThat(dispatch.inFlight()).isEqualTo(2);
        rig.check();
        rig.handle(Kind.HANDLED, "a@3");
        rig.handle(Kind.HANDLED, "a@4");
    }

    @Test
    void aPartitionIsCheckedAsLongAsSomethingWasSeenAndAgainAfterADuplicate() {
        dispatch.assigned(Set.of(P0));
        rig.read(P0, "a@1");
        dispatch.checked(rig.nextCheck(), List.of(), rig.now());
        rig.read(P0, "a@2");
        rig.check();
        rig.handle(Kind.HANDLED, "a@2");
        rig.read(P0, "a@3");
        rig.handle(Kind.DUPLICATE, "a@3");
        rig.read(P0, "a@4");
        rig.check();
        rig.handle(Kind.HANDLED, "a@4");
    }

    @Test
    void aCheckThatFailsIsMadeAgain() {
        dispatch.assigned(Set.of(P0));
        rig.read(P0, "a@1");
        dispatch.failed(rig.nextCheck(), away, rig.now());

        assertThat(rig.take()).isNull();
        rig.advance(Duration.ofMillis(100));
        rig.check();
        rig.handle(Kind.HANDLED, "a@1");
    }

    @Test
    void whatIsCheckedOfAPartitionThatIsTakenAwayIsDropped() {
        dispatch.assigned(Set.of(P0));
        dispatch.assigned(Set.of(P1));
        rig.read(P0, "a@1");
        rig.read(P1, "b@1");
        Task.Check first = rig.nextCheck();
        dispatch.forget(Set.of(P0));
        dispatch.checked(first, first.deliveries(), rig.now());
        rig.check();

        assertThat(DispatchRig.names(rig.all())).containsExactly("b@1");
        assertThat(dispatch.inFlight()).isEqualTo(1);
    }

    @Test
    void afterTheEndNothingIsHandedOut() {
        rig.assign(P0);
        rig.read(P0, "a@1");
        dispatch.stop();

        assertThat(rig.all()).isEmpty();
    }
}
