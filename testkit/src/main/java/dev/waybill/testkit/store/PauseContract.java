package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.operations.Pause;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.ParkedKey.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Destinations and keys are held back until somebody lets them go on. */
abstract class PauseContract extends StoreContract {
    private static final int SHARD = KEY.shard();

    @Test
    void aPausedDestinationIsSeenByEveryScanUntilItIsResumed() {
        assertThat(scanAll(RELAY).paused()).isEmpty();

        assertThat(operations.pauseDestination("orders", TESTER)).isTrue();
        assertThat(operations.pauseDestination("mails", TESTER)).isTrue();
        assertThat(scanAll(RELAY).paused()).containsExactlyInAnyOrder("orders", "mails");
        assertThat(store.scan(OTHER_RELAY, List.of(fromStart(0))).paused())
                .containsExactlyInAnyOrder("orders", "mails");

        assertThat(operations.resumeDestination("orders", TESTER)).isTrue();
        assertThat(scanAll(RELAY).paused()).containsExactly("mails");
    }

    @Test
    void pausingADestinationTwiceIsPausingItOnce() {
        Signature other = Signature.of("somebody else", "");
        assertThat(operations.resumeDestination("orders", TESTER)).isFalse();
        assertThat(operations.pauseDestination("orders", TESTER)).isTrue();
        assertThat(operations.pauseDestination("orders", other)).isFalse();

        assertThat(operations.pauses())
                .singleElement()
                .satisfies(pause ->
                        assertThat(pause.signature()).as("of who paused it").isEqualTo(TESTER));
        assertThat(operations.resumeDestination("orders", TESTER)).isTrue();
        assertThat(operations.resumeDestination("orders", TESTER)).isFalse();
        assertThat(audited()).hasSize(2);
    }

    @Test
    void pausesAreListedWithDestinationsFirst() {
        Instant before = fixture.now();
        operations.pauseKey(KEY, TESTER);
        operations.pauseDestination("orders", TESTER);

        List<Pause> pauses = operations.pauses();

        assertThat(pauses).hasSize(2).allSatisfy(pause -> {
            assertThat(pause.destination()).isEqualTo("orders");
            assertThat(pause.signature()).isEqualTo(TESTER);
            assertThat(pause.since())
                    .isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
        });
        assertThat(pauses.get(0).key()).isNull();
        assertThat(pauses.get(1).key()).isEqualTo(KEY.key());
    }

    @Test
    void theEntriesOfAPausedKeyWaitAndComeBackInOrder() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        long before = rewindOf(SHARD);

        assertThat(operations.pauseKey(KEY, TESTER)).isTrue();

        long paused = rewindOf(SHARD);
        assertThat(paused).as("the relay learns of it").isGreaterThan(before);
        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.PARKED));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 2)).hasValue(2);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 2)).hasValue(1);
        assertThat(store.restore(RELAY, lease, KEY, 10)).as("nobody resumed it").isEmpty();
        assertThat(deadLetters.parked(10)).singleElement().satisfies(parked -> {
            assertThat(parked.deadSequence()).isEmpty();
            assertThat(parked.waiting()).isEqualTo(3);
        });

        assertThat(operations.resumeKey(KEY, TESTER)).isTrue();

        assertThat(rewindOf(SHARD)).isGreaterThan(paused);
        assertThat(operations.pauses()).isEmpty();
        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.RELEASING));
        Event late = event(KEY);
        publish(late);
        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(2);
        assertThat(store.restore(RELAY, lease, KEY, 2)).hasValue(1);
        assertThat(store.readParked(Set.of(SHARD))).isEmpty();
        assertThat(sequences(entriesOf(KEY)).subList(0, 3)).isEqualTo(sequences(entries));
        assertThat(entriesOf(KEY).get(3).event()).isEqualTo(late);
    }

    @Test
    void pausedAndParkedKeysAreListedTogetherTheLongestWaitingFirst() {
        takeAll(RELAY);
        Instant before = fixture.now();
        List<OrderKey> keys = List.of(KEY, new OrderKey("mails", "m-1"), new OrderKey("bills", "b-1"));
        operations.pauseKey(keys.get(0), TESTER);
        fixture.passTime(Duration.ofMillis(2));
        Entry dead = published(event(keys.get(1)));
        settle(leaseOf(store.renew(RELAY, LONG).leases(), dead.shard()), died(dead, DeadLetterPolicy.PARK));
        fixture.passTime(Duration.ofMillis(2));
        operations.pauseKey(keys.get(2), TESTER);

        List<Parked> parked = deadLetters.parked(10);

        assertThat(parked.stream().map(one -> one.parkedKey().key())).isEqualTo(keys);
        assertThat(parked)
                .allSatisfy(one -> assertThat(one.since())
                        .isBetween(before.minusMillis(1), fixture.now().plusMillis(1)));
        assertThat(deadLetters.parked(2)).isEqualTo(parked.subList(0, 2));
    }

    @Test
    void pausingAKeyHoldsNoOtherBack() {
        Lease lease = takeFor(RELAY, KEY);
        OrderKey neighbour = ScanContract.inShard(KEY.destination(), SHARD);
        publish(event(KEY), event(neighbour), event(new OrderKey("mails", KEY.key())), keyless(KEY.destination()));

        operations.pauseKey(KEY, TESTER);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);

        assertThat(outbox()).hasSize(3);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(neighbour), 10)).hasValue(0);
    }

    @Test
    void aKeyIsPausedBeforeItsFirstEntry() {
        Lease lease = takeFor(RELAY, KEY);
        assertThat(operations.pauseKey(KEY, TESTER)).isTrue();
        publish(event(KEY));

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
    }

    @Test
    void aPausedKeyIsNotReleasedAndNotSkipped() {
        operations.pauseKey(KEY, TESTER);

        assertThat(deadLetters.release(KEY, TESTER)).isFalse();
        assertThat(deadLetters.skip(KEY, TESTER)).isFalse();

        assertThat(operations.resumeKey(KEY, TESTER)).isTrue();
    }

    @Test
    void pausingAndResumingAKeyIsSafeToRepeat() {
        assertThat(operations.resumeKey(KEY, TESTER)).isFalse();
        assertThat(operations.pauseKey(KEY, TESTER)).isTrue();
        long rewind = rewindOf(SHARD);
        assertThat(operations.pauseKey(KEY, TESTER)).isFalse();
        assertThat(rewindOf(SHARD)).isEqualTo(rewind);

        assertThat(operations.resumeKey(KEY, TESTER)).isTrue();
        assertThat(operations.resumeKey(KEY, TESTER)).isFalse();
        assertThat(operations.pauseKey(KEY, TESTER)).as("it is still releasing").isFalse();
        assertThat(audited()).hasSize(2);

        Lease lease = takeFor(RELAY, KEY);
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(0);
        assertThat(operations.pauseKey(KEY, TESTER)).as("it is free again").isTrue();
    }

    @Test
    void ofConcurrentDecisionsAboutAKeyOneWins() {
        try (InParallel threads = new InParallel()) {
            assertThat(threads.together(List.of(
                            () -> operations.pauseKey(KEY, TESTER),
                            () -> operations.pauseKey(KEY, TESTER),
                            () -> operations.pauseKey(KEY, TESTER))))
                    .containsOnlyOnce(true);
            assertThat(threads.together(List.of(
                            () -> operations.resumeKey(KEY, TESTER),
                            () -> operations.resumeKey(KEY, TESTER),
                            () -> operations.resumeKey(KEY, TESTER))))
                    .containsOnlyOnce(true);
            assertThat(threads.together(List.of(
                            () -> operations.pauseDestination("orders", TESTER),
                            () -> operations.pauseDestination("orders", TESTER),
                            () -> operations.pauseDestination("orders", TESTER))))
                    .containsOnlyOnce(true);
            assertThat(threads.together(List.of(
                            () -> operations.resumeDestination("orders", TESTER),
                            () -> operations.resumeDestination("orders", TESTER))))
                    .containsOnlyOnce(true);
        }
        assertThat(audited()).hasSize(4);
    }

    @Test
    void aParkedKeyStaysParkedAndIsNotPausedOrResumed() {
        Lease lease = takeFor(RELAY, KEY);
        Entry dead = published(event(KEY));
        settle(lease, died(dead, DeadLetterPolicy.PARK));

        assertThat(operations.pauseKey(KEY, TESTER)).isFalse();
        assertThat(operations.resumeKey(KEY, TESTER)).isFalse();

        assertThat(operations.pauses()).isEmpty();
        assertThat(deadLetters.parked(10))
                .singleElement()
                .satisfies(parked -> assertThat(parked.deadSequence()).hasValue(dead.sequence()));
    }

    @Test
    void whatWasOnItsWayWhenItsKeyWasPausedIsSettled() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        operations.pauseKey(KEY, TESTER);

        settle(lease, delivered(entries.get(0)), retried(entries.get(1), Duration.ofHours(1)));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(2);
        operations.resumeKey(KEY, TESTER);
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);

        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries.subList(1, 3)));
        assertThat(entriesOf(KEY)).allMatch(Entry::isDue);
        assertThat(entriesOf(KEY).get(0).attempts()).isEqualTo(1);
    }

    @Test
    void whenTheHeadOfAPausedKeyDiesTheKeyIsParkedBehindIt() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        operations.pauseKey(KEY, TESTER);

        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));

        long head = entries.get(0).sequence();
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(2);
        assertThat(deadLetters.find(head).orElseThrow().parksKey()).isTrue();
        assertThat(deadLetters.parked(10))
                .singleElement()
                .satisfies(parked -> assertThat(parked.deadSequence()).hasValue(head));
        assertThat(operations.pauses()).isEmpty();
        assertThat(operations.resumeKey(KEY, TESTER)).isFalse();
        assertThat(deadLetters.release(KEY, TESTER)).isTrue();
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(3);
        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries));
    }

    @Test
    void aDeathThatParksNothingLeavesThePausedKeyPaused() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);
        operations.pauseKey(KEY, TESTER);

        settle(lease, died(entries.get(0), DeadLetterPolicy.SKIP));

        assertThat(operations.pauses()).hasSize(1);
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .matches(letter -> !letter.parksKey());
        assertThat(operations.resumeKey(KEY, TESTER)).isTrue();
    }

    @Test
    void whenTheHeadDiesJustAfterItsKeyWasResumedTheKeyIsParkedAfterAll() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        operations.pauseKey(KEY, TESTER);
        operations.resumeKey(KEY, TESTER);

        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK));

        assertThat(store.readParked(Set.of(SHARD))).containsExactly(new ParkedKey(KEY, SHARD, State.PARKED));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(2);
        assertThat(store.restore(RELAY, lease, KEY, 10)).isEmpty();
        assertThat(deadLetters.skip(KEY, TESTER)).isTrue();
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);
        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries.subList(1, 3)));
    }

    @Test
    void aDeadLetterOfAPausedKeyIsRedrivenAndWaits() {
        Lease lease = takeFor(RELAY, KEY);
        Entry dead = published(event(KEY));
        settle(lease, died(dead, DeadLetterPolicy.SKIP));
        operations.pauseKey(KEY, TESTER);

        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        assertThat(outbox()).isEmpty();
    }

    @Test
    void aPauseOutlivesTheRelay() {
        takeAll(RELAY);
        publish(event(KEY));
        operations.pauseKey(KEY, TESTER);
        operations.pauseDestination("mails", TESTER);
        store.leave(RELAY);

        Lease lease = takeFor(OTHER_RELAY, KEY);

        assertThat(store.hold(OTHER_RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        assertThat(scanAll(OTHER_RELAY).paused()).containsExactly("mails");
    }
}
