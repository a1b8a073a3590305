package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.ParkedKey.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A key waits behind its dead letter, in order, until somebody decides. */
abstract class ParkingContract extends StoreContract {
    private static final int SHARD = KEY.shard();

    @Test
    void aDeadEntryParksItsKey() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);

        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));

        ParkedKey parked = new ParkedKey(KEY, SHARD, State.PARKED);
        assertThat(store.readParked(Set.of(SHARD))).containsExactly(parked);
        assertThat(store.readParked(Set.of((SHARD + 1) % 64))).isEmpty();
        assertThat(store.readParked(Set.of())).isEmpty();
        assertParked(parked, entries.get(0).sequence());
        assertThat(sequences(entriesOf(KEY)))
                .as("the others stay in the outbox until the relay holds them")
                .isEqualTo(sequences(entries.subList(1, 3)));
    }

    @Test
    void holdingMovesTheKeysEntriesOutOfTheOutboxAndNoOthers() {
        Lease lease = park(3);
        OrderKey neighbour = ScanContract.inShard(KEY.destination(), SHARD);
        OrderKey namesake = new OrderKey("elsewhere", KEY.key());
        publish(event(neighbour), event(namesake), keyless(KEY.destination()));

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 2)).hasValue(2);
        assertThat(entriesOf(KEY)).hasSize(1);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 2)).hasValue(1);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 2)).hasValue(0);

        assertThat(entriesOf(KEY)).isEmpty();
        assertThat(outbox()).hasSize(3);
        assertThat(deadLetters.parked(10)).singleElement().matches(parked -> parked.waiting() == 3);
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .as("waiting entries are no dead letters")
                .hasSize(1);
    }

    @Test
    void aStretchOfAKeyIsHeldBetweenItsMarks() {
        Lease lease = park(4);
        List<Long> left = sequences(entriesOf(KEY));

        assertThat(store.hold(RELAY, lease, new KeyCursor(KEY, left.get(1), left.get(2)), 10))
                .hasValue(2);

        assertThat(sequences(entriesOf(KEY))).containsExactly(left.get(0), left.get(3));
    }

    @Test
    void aKeyThatIsNotParkedIsNotHeld() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(0);

        assertThat(outbox()).isEqualTo(entries);
    }

    @Test
    void aReleasingKeyIsNotHeldAnyMore() {
        Lease lease = park(2);
        assertThat(deadLetters.release(KEY, TESTER)).isTrue();

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(0);

        assertThat(entriesOf(KEY)).hasSize(2);
    }

    @Test
    void releasingPutsTheDeadOneAndAllThatWaitBackInOrderWithTheirSequences() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 5);
        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 100)).hasValue(4);

        assertThat(deadLetters.release(KEY, TESTER)).isTrue();

        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.RELEASING));
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .as("it is no dead letter any more")
                .isEmpty();
        assertThat(outbox()).as("only the relay puts entries back").isEmpty();

        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(2);
        assertThat(sequences(entriesOf(KEY))).as("lowest first").isEqualTo(sequences(entries.subList(0, 2)));
        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.RELEASING));
        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(2);
        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(1);

        List<Entry> restored = entriesOf(KEY);
        assertThat(sequences(restored)).isEqualTo(sequences(entries));
        assertThat(ids(restored)).isEqualTo(ids(entries));
        assertThat(restored).allMatch(entry -> entry.attempts() == 0 && entry.isDue() && entry.shard() == SHARD);
        assertThat(restored.get(0).lastError()).as("why it died is kept").isEqualTo("it is dead");
        assertThat(store.readParked(Set.of(SHARD))).isEmpty();
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    @Test
    void restoringExactlyAsManyAsThereAreFreesTheKeyAtTheLatestWithTheNextCall() {
        Lease lease = park(1);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        deadLetters.release(KEY, TESTER);

        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(2);
        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(0);

        assertThat(store.readParked(Set.of(SHARD))).isEmpty();
        assertThat(entriesOf(KEY)).hasSize(2);
    }

    @Test
    void restoringAKeyThatIsFreeSaysSo() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);

        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(0);

        assertThat(outbox()).isEqualTo(entries);
    }

    @Test
    void restoringAKeyThatIsStillParkedIsRefusedAndChangesNothing() {
        Lease lease = park(2);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);

        assertThat(store.restore(RELAY, lease, KEY, 10)).isEmpty();

        assertThat(outbox()).isEmpty();
        assertThat(deadLetters.parked(10))
                .singleElement()
                .matches(parked -> parked.parkedKey().state() == State.PARKED && parked.waiting() == 2);
    }

    @Test
    void skippingPutsBackWhatWaitsAndLeavesTheDeadLetterAsSkipped() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 4);
        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));
        store.hold(RELAY, lease, KeyCursor.all(KEY), 100);

        assertThat(deadLetters.skip(KEY, TESTER)).isTrue();
        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.RELEASING));
        assertThat(store.restore(RELAY, lease, KEY, 100)).hasValue(3);

        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries.subList(1, 4)));
        assertThat(store.readParked(Set.of(SHARD))).isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.state()).isEqualTo(DeadLetter.State.SKIPPED);
                    assertThat(letter.entry().sequence())
                            .isEqualTo(entries.get(0).sequence());
                    assertThat(letter.entry().lastError()).isEqualTo("it is dead");
                });
    }

    @Test
    void releasingAndSkippingBumpTheRewindCounterWithTheDecision() {
        OrderKey neighbour = ScanContract.inShard("mails", SHARD);
        Lease lease = park(1);
        publish(event(neighbour));
        settle(lease, died(entriesOf(neighbour).get(0), DeadLetterPolicy.PARK));
        long before = rewindOf(SHARD);
        long elsewhere = rewindOf((SHARD + 1) % 64);

        deadLetters.release(KEY, TESTER);
        long released = rewindOf(SHARD);
        deadLetters.skip(neighbour, TESTER);

        assertThat(released).isGreaterThan(before);
        assertThat(rewindOf(SHARD)).isGreaterThan(released);
        assertThat(rewindOf((SHARD + 1) % 64)).isEqualTo(elsewhere);
        Lease current = leaseOf(store.renew(RELAY, LONG).leases(), SHARD);
        assertThat(current.epoch()).as("the lease itself stays valid").isEqualTo(lease.epoch());
        assertThat(current.rewind()).isEqualTo(rewindOf(SHARD));
    }

    @Test
    void theRewindCounterSurvivesATakeOver() {
        park(1);
        deadLetters.release(KEY, TESTER);
        long bumped = rewindOf(SHARD);
        store.leave(RELAY);

        assertThat(takeFor(OTHER_RELAY, KEY).rewind()).isGreaterThanOrEqualTo(bumped);
    }

    @Test
    void aDecisionIsTakenOnce() {
        Lease lease = park(1);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);

        assertThat(deadLetters.release(KEY, TESTER)).isTrue();
        long rewind = rewindOf(SHARD);
        assertThat(deadLetters.release(KEY, TESTER)).isFalse();
        assertThat(deadLetters.skip(KEY, TESTER)).isFalse();

        assertThat(rewindOf(SHARD)).isEqualTo(rewind);
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);
        assertThat(deadLetters.release(KEY, TESTER)).isFalse();
        assertThat(deadLetters.skip(new OrderKey("orders", "unknown"), TESTER)).isFalse();
        assertThat(entriesOf(KEY)).hasSize(2);
    }

    @Test
    void ofConcurrentDecisionsOneWins() {
        try (InParallel threads = new InParallel()) {
            for (int round = 0; round < 10; round++) {
                OrderKey key = new OrderKey("orders", "contested-" + round);
                publish(event(key));
                List<Lease> leases = takeAll(RELAY);
                Lease lease = leaseOf(leases, key.shard());
                settle(lease, died(entriesOf(key).get(0), DeadLetterPolicy.PARK));
                store.leave(RELAY);

                List<Boolean> won = threads.together(List.of(
                        () -> deadLetters.release(key, TESTER),
                        () -> deadLetters.skip(key, TESTER),
                        () -> deadLetters.release(key, TESTER)));

                assertThat(won).containsOnlyOnce(true);
                int waiting = won.get(1) ? 0 : 1;
                Lease again = takeFor(RELAY, key);
                assertThat(store.restore(RELAY, again, key, 10)).hasValue(waiting);
                assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 100))
                        .filteredOn(letter ->
                                letter.entry().orderKey().filter(key::equals).isPresent())
                        .hasSize(1 - waiting);
                store.leave(RELAY);
            }
        }
    }

    @Test
    void entriesThatArriveWhileAKeyIsReleasingComeLast() {
        Lease lease = park(3);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        Event lateComer = event(KEY);
        deadLetters.release(KEY, TESTER);

        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(2);
        publish(lateComer);
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);

        List<Entry> entries = entriesOf(KEY);
        assertThat(sequences(entries)).hasSize(5).isSorted();
        assertThat(entries.get(4).event().id()).isEqualTo(lateComer.id());
        assertThat(store.readParked(Set.of(SHARD))).isEmpty();
    }

    @Test
    void aLateCommitBelowTheDeadOneWaitsAndComesBackBeforeIt() {
        Lease lease = takeFor(RELAY, KEY);
        Event late = event(KEY);
        try (StoreFixture.Transaction slow = fixture.begin()) {
            slow.append(List.of(late), Set.of());
            settle(lease, died(published(event(KEY)), DeadLetterPolicy.PARK));
            slow.commit();
        }
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        deadLetters.release(KEY, TESTER);

        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);

        assertThat(entriesOf(KEY).get(0).event().id()).isEqualTo(late.id());
    }

    @Test
    void aHeldEntryComesBackDueUnlessItsEventIsDelayed() {
        Lease lease = takeFor(RELAY, KEY);
        Entry dead = published(event(KEY));
        Entry backedOff = published(event(KEY));
        Event delayed = delayed(KEY, Duration.ofHours(1));
        publish(delayed);
        settle(lease, retried(backedOff, Duration.ofHours(1)), died(dead, DeadLetterPolicy.PARK));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(2);
        deadLetters.release(KEY, TESTER);

        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(3);

        List<Entry> entries = entriesOf(KEY);
        assertThat(entries.get(1).isDue()).isTrue();
        assertThat(entries.get(1).attempts()).as("its attempts count on").isEqualTo(1);
        assertThat(entries.get(2).event()).isEqualTo(delayed);
        assertThat(entries.get(2).dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void aReleasedEntryThatDiesAgainParksItsKeyAgain() {
        Lease lease = park(1);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        deadLetters.release(KEY, TESTER);
        store.restore(RELAY, lease, KEY, 10);
        Entry head = entriesOf(KEY).get(0);

        settle(lease, died(head, DeadLetterPolicy.PARK));

        assertParked(new ParkedKey(KEY, SHARD, State.PARKED), head.sequence());
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .matches(letter -> letter.entry().attempts() == 1);
    }

    @Test
    void aSecondDeathOfAParkedKeyIsADeadLetterThatLeavesTheHead() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);

        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));
        settle(lease, died(entries.get(1), DeadLetterPolicy.PARK));

        assertParked(new ParkedKey(KEY, SHARD, State.PARKED), entries.get(0).sequence());
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10).stream()
                        .map(letter -> letter.entry().sequence()))
                .isEqualTo(sequences(entries));
    }

    @Test
    void aParkedKeySurvivesTheTakeOverOfItsShard() {
        Lease first = park(4);
        assertThat(store.hold(RELAY, first, KeyCursor.all(KEY), 2)).hasValue(2);
        store.leave(RELAY);
        Lease second = takeFor(OTHER_RELAY, KEY);
        assertThat(store.hold(OTHER_RELAY, second, KeyCursor.all(KEY), 10)).hasValue(2);
        deadLetters.release(KEY, TESTER);
        assertThat(store.restore(OTHER_RELAY, second, KEY, 3)).hasValue(3);
        store.leave(OTHER_RELAY);
        Lease third = takeFor(RELAY, KEY);

        assertThat(store.restore(RELAY, third, KEY, 3)).hasValue(2);

        assertThat(sequences(entriesOf(KEY))).hasSize(5).isSorted();
    }

    @Test
    void manyEntriesAreHeldAndRestoredInBatches() {
        Lease lease = park(1);
        List<Event> events = IntStream.range(0, 700).mapToObj(i -> event(KEY)).toList();
        publish(events);
        List<Integer> moved = new ArrayList<>();
        do {
            moved.add(store.hold(RELAY, lease, KeyCursor.all(KEY), 300).orElseThrow());
        } while (moved.get(moved.size() - 1) == 300);
        assertThat(moved).containsExactly(300, 300, 101);

        deadLetters.skip(KEY, TESTER);
        moved.clear();
        do {
            moved.add(store.restore(RELAY, lease, KEY, 300).orElseThrow());
        } while (moved.get(moved.size() - 1) == 300);

        assertThat(moved).containsExactly(300, 300, 101);
        List<Entry> entries = entriesOf(KEY);
        assertThat(ids(entries.subList(1, 701))).isEqualTo(idsOf(events));
    }

    /** Parks the key behind a dead letter, with so many entries behind it that are still in the outbox. */
    private Lease park(int behind) {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, behind + 1);
        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));
        return lease;
    }

    /** Exactly this one is parked, and nothing waits behind it yet. */
    private void assertParked(ParkedKey key, long head) {
        assertThat(deadLetters.parked(10)).singleElement().satisfies(parked -> {
            assertThat(parked.parkedKey()).isEqualTo(key);
            assertThat(parked.deadSequence()).hasValue(head);
            assertThat(parked.waiting()).isZero();
        });
    }
}
