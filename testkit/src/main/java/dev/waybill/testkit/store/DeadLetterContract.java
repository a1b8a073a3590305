package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people see of dead letters, and how they try them again. */
abstract class DeadLetterContract extends StoreContract {

    @Test
    void deadLettersAreListedBySequenceInPages() {
        List<Long> all = sequences(kill(5, DeadLetterPolicy.SKIP));

        assertThat(listed(0, 10)).isEqualTo(all);
        assertThat(listed(0, 2)).isEqualTo(all.subList(0, 2));
        assertThat(listed(all.get(1), 2)).isEqualTo(all.subList(2, 4));
        assertThat(listed(all.get(4), 2)).isEmpty();
    }

    @Test
    void parkedKeysAreListedByTheirDeadLetterTheLongestWaitingFirst() {
        List<Entry> dead = kill(4, DeadLetterPolicy.PARK);

        List<Parked> parked = deadLetters.parked(3);

        assertThat(parked.stream().map(one -> one.deadSequence().orElseThrow()))
                .isEqualTo(sequences(dead).subList(0, 3));
        assertThat(parked.stream().map(one -> one.parkedKey().key()))
                .isEqualTo(dead.stream()
                        .limit(3)
                        .map(entry -> entry.orderKey().orElseThrow())
                        .toList());
        deadLetters.release(parked.get(0).parkedKey().key(), TESTER);
        assertThat(deadLetters.parked(10)).as("releasing keys are listed too").hasSize(4);
    }

    @Test
    void aDeadLetterKeepsEveryFieldOfItsEvent() {
        Event event = Event.to("orders")
                .key("注文")
                .type("OrderPlaced")
                .version(3)
                .json("{\"a\":\"ü\"}")
                .header("x", "y\"\t")
                .availableAt(fixture.now().minusSeconds(5))
                .build();
        Entry entry = published(event);
        Lease lease = leaseOf(takeAll(RELAY), entry.shard());

        settle(lease, died(entry, DeadLetterPolicy.SKIP));
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 1))
                .singleElement()
                .matches(letter -> letter.entry().event().equals(event));
        assertThat(deadLetters.redrive(entry.sequence(), TESTER)).isTrue();

        assertThat(entryOf(event).event()).isEqualTo(event);
    }

    @Test
    void aRedrivenDeadLetterIsBackWithItsSequenceAndAllOfItsAttempts() {
        Entry dead = kill(1, DeadLetterPolicy.SKIP).get(0);
        long rewind = rewindOf(dead.shard());
        long elsewhere = rewindOf((dead.shard() + 1) % 64);

        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();

        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
        Entry back = entryOf(dead.event());
        assertThat(back.sequence()).isEqualTo(dead.sequence());
        assertThat(back.shard()).isEqualTo(dead.shard());
        assertThat(back.attempts()).isZero();
        assertThat(back.isDue()).isTrue();
        assertThat(rewindOf(dead.shard())).isGreaterThan(rewind);
        assertThat(rewindOf((dead.shard() + 1) % 64)).isEqualTo(elsewhere);
    }

    @Test
    void redrivingIsSafeToRepeat() {
        Entry dead = kill(1, DeadLetterPolicy.SKIP).get(0);

        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();
        long rewind = rewindOf(dead.shard());
        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isFalse();
        assertThat(deadLetters.redrive(Long.MAX_VALUE, TESTER)).isFalse();

        assertThat(outbox()).hasSize(1);
        assertThat(rewindOf(dead.shard())).isEqualTo(rewind);
    }

    @Test
    void ofConcurrentRedrivesOneWins() {
        Entry dead = kill(1, DeadLetterPolicy.SKIP).get(0);
        try (InParallel threads = new InParallel()) {
            assertThat(threads.together(List.of(
                            () -> deadLetters.redrive(dead.sequence(), TESTER),
                            () -> deadLetters.redrive(dead.sequence(), TESTER),
                            () -> deadLetters.redrive(dead.sequence(), TESTER))))
                    .containsOnlyOnce(true);
        }
        assertThat(outbox()).hasSize(1);
    }

    @Test
    void aDeadLetterWithoutAKeyIsRedriven() {
        Entry entry = published(keyless("mails"));
        settle(leaseOf(takeAll(RELAY), entry.shard()), died(entry, DeadLetterPolicy.PARK));

        assertThat(deadLetters.redrive(entry.sequence(), TESTER)).isTrue();

        assertThat(sequences(outbox())).containsExactly(entry.sequence());
    }

    @Test
    void redrivingTheDeadLetterOfAParkedKeyReleasesTheKey() {
        Entry dead = kill(1, DeadLetterPolicy.PARK).get(0);
        OrderKey key = dead.orderKey().orElseThrow();
        Entry behind = published(event(key));
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), dead.shard());
        store.hold(RELAY, lease, KeyCursor.all(key), 10);
        long rewind = rewindOf(dead.shard());

        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();

        assertThat(letter(dead).state()).isEqualTo(State.REPLAYING);
        assertThat(outbox()).as("only the relay puts entries back").isEmpty();
        assertThat(rewindOf(dead.shard())).isGreaterThan(rewind);
        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isFalse();
        assertThat(deadLetters.release(key, TESTER)).isFalse();
        assertThat(store.restore(RELAY, lease, key, 10)).hasValue(2);
        assertThat(sequences(entriesOf(key))).containsExactly(dead.sequence(), behind.sequence());
    }

    @Test
    void aDeadLetterSaysWhetherItParksItsKey() {
        Entry head = kill(1, DeadLetterPolicy.PARK).get(0);
        OrderKey key = head.orderKey().orElseThrow();
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), head.shard());
        Entry second = published(event(key));
        settle(lease, died(second, DeadLetterPolicy.PARK));
        Entry free = published(event(ScanContract.inShard("mails", head.shard())));
        settle(lease, died(free, DeadLetterPolicy.SKIP));

        assertThat(letter(head).parksKey()).isTrue();
        assertThat(letter(second).parksKey()).isFalse();
        assertThat(letter(free).parksKey()).isFalse();
        deadLetters.skip(key, TESTER);
        assertThat(letter(head).parksKey()).isFalse();
    }

    @Test
    void aDiscardedDeadLetterStaysVisibleButNothingCanBeDoneAboutItAnyMore() {
        Entry dead = kill(1, DeadLetterPolicy.SKIP).get(0);
        long rewind = rewindOf(dead.shard());

        assertThat(deadLetters.discard(dead.sequence(), TESTER)).isTrue();

        assertThat(letter(dead).state()).isEqualTo(State.DISCARDED);
        assertThat(letter(dead).entry().event()).isEqualTo(dead.event());
        assertThat(deadLetters.discard(dead.sequence(), TESTER)).isFalse();
        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isFalse();
        assertThat(outbox()).isEmpty();
        assertThat(rewindOf(dead.shard())).isEqualTo(rewind);
        assertThat(store.clean()).as("it is kept for days").isZero();
        assertThat(letter(dead).state()).isEqualTo(State.DISCARDED);
    }

    @Test
    void discardingTheDeadLetterOfAParkedKeyLetsTheOthersGoOn() {
        Entry dead = kill(1, DeadLetterPolicy.PARK).get(0);
        OrderKey key = dead.orderKey().orElseThrow();
        Entry behind = published(event(key));
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), dead.shard());
        store.hold(RELAY, lease, KeyCursor.all(key), 10);
        long rewind = rewindOf(dead.shard());

        assertThat(deadLetters.discard(dead.sequence(), TESTER)).isTrue();

        assertThat(letter(dead)).matches(letter -> letter.state() == State.DISCARDED && !letter.parksKey());
        assertThat(rewindOf(dead.shard())).isGreaterThan(rewind);
        assertThat(deadLetters.skip(key, TESTER)).isFalse();
        assertThat(store.restore(RELAY, lease, key, 10)).hasValue(1);
        assertThat(sequences(entriesOf(key))).containsExactly(behind.sequence());
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    @Test
    void aSkippedDeadLetterIsDiscarded() {
        Entry dead = kill(1, DeadLetterPolicy.PARK).get(0);
        deadLetters.skip(dead.orderKey().orElseThrow(), TESTER);

        assertThat(deadLetters.discard(dead.sequence(), TESTER)).isTrue();

        assertThat(letter(dead).state()).isEqualTo(State.DISCARDED);
        assertThat(deadLetters.discard(Long.MAX_VALUE, TESTER)).isFalse();
    }

    @Test
    void ofConcurrentDecisionsAboutADeadLetterOneWinsAndIsRecorded() {
        try (InParallel threads = new InParallel()) {
            for (Entry dead : kill(8, DeadLetterPolicy.PARK)) {
                OrderKey key = dead.orderKey().orElseThrow();
                int decisions = audited().size();

                List<Boolean> won = threads.together(List.of(
                        () -> deadLetters.redrive(dead.sequence(), TESTER),
                        () -> deadLetters.release(key, TESTER),
                        () -> deadLetters.redrive(dead.sequence(), TESTER),
                        () -> deadLetters.release(key, TESTER)));

                assertThat(won).containsOnlyOnce(true);
                assertThat(audited()).hasSize(decisions + 1);
            }
            for (Entry dead : kill(8, DeadLetterPolicy.SKIP)) {
                int decisions = audited().size();

                List<Boolean> won = threads.together(List.of(
                        () -> deadLetters.discard(dead.sequence(), TESTER),
                        () -> deadLetters.redrive(dead.sequence(), TESTER),
                        () -> deadLetters.discard(dead.sequence(), TESTER)));

                assertThat(won).containsOnlyOnce(true);
                assertThat(audited()).hasSize(decisions + 1);
                assertThat(letter(dead).state()).isEqualTo(won.get(1) ? State.REPLAYING : State.DISCARDED);
            }
        }
    }

    @Test
    void aSkippedDeadLetterIsRedriven() {
        Entry dead = kill(1, DeadLetterPolicy.PARK).get(0);
        OrderKey key = dead.orderKey().orElseThrow();
        deadLetters.skip(key, TESTER);
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), dead.shard());
        assertThat(store.restore(RELAY, lease, key, 10)).hasValue(0);
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).allMatch(letter -> letter.state() == State.SKIPPED);

        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();

        assertThat(sequences(entriesOf(key))).containsExactly(dead.sequence());
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
    }

    @Test
    void anOldDeadLetterIsRedrivenWhileItsKeyIsParkedByAnother() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);
        settle(lease, died(entries.get(0), DeadLetterPolicy.SKIP));
        settle(lease, died(entries.get(1), DeadLetterPolicy.PARK));

        assertThat(deadLetters.redrive(entries.get(0).sequence(), TESTER)).isTrue();
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);
        deadLetters.release(KEY, TESTER);
        store.restore(RELAY, lease, KEY, 10);

        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries));
    }

    @Test
    void aRedrivenEntryCanBeSettledLikeAnyOther() {
        Entry dead = kill(1, DeadLetterPolicy.SKIP).get(0);
        deadLetters.redrive(dead.sequence(), TESTER);
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), dead.shard());

        settle(lease, died(entryOf(dead.event()), DeadLetterPolicy.SKIP));
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .matches(letter -> letter.entry().attempts() == 1);
        deadLetters.redrive(dead.sequence(), TESTER);
        settle(lease, delivered(entryOf(dead.event())));

        assertThat(outbox()).isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
    }

    /** Publishes and kills so many entries, each of a key of its own. */
    private List<Entry> kill(int count, DeadLetterPolicy policy) {
        takeAll(RELAY);
        List<Lease> leases = store.renew(RELAY, LONG).leases();
        for (int i = 0; i < count; i++) {
            publish(event(new OrderKey("orders", "doomed-" + i)));
        }
        List<Entry> entries = outbox();
        assertThat(store.settle(
                        RELAY,
                        leases,
                        entries.stream().map(entry -> died(entry, policy)).toList()))
                .isEmpty();
        return entries;
    }

    private DeadLetter letter(Entry entry) {
        return deadLetters.find(entry.sequence()).orElseThrow();
    }

    private List<Long> listed(long after, int limit) {
        return deadLetters.list(DeadLetterFilter.all(), after, limit).stream()
                .map(letter -> letter.entry().sequence())
                .toList();
    }
}
