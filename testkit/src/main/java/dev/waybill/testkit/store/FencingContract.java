package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A relay whose lease is gone changes nothing. */
abstract class FencingContract extends StoreContract {
    private static final int ROUNDS = 20;

    @Test
    void aStalledRelayCannotSettleWhatItsSuccessorOwns() {
        Lease stale = leaseOf(store.take(RELAY, Shards.COUNT, SHORT), KEY.shard());
        List<Entry> entries = publishedEntries(KEY, 3);
        outliveShort();
        takeAll(OTHER_RELAY);

        Set<Integer> lost = store.settle(
                RELAY,
                List.of(stale),
                List.of(
                        delivered(entries.get(0)),
                        retried(entries.get(1), LONG),
                        died(entries.get(2), DeadLetterPolicy.PARK)));

        assertThat(lost).containsExactly(KEY.shard());
        assertUntouched(entries);
    }

    @Test
    void anExpiredLeaseThatNobodyTookIsStillHeld() {
        Lease lease = leaseOf(store.take(RELAY, Shards.COUNT, SHORT), KEY.shard());
        List<Entry> entries = publishedEntries(KEY, 2);
        outliveShort();

        settle(lease, delivered(entries.get(0)), died(entries.get(1), DeadLetterPolicy.PARK));

        assertThat(outbox()).isEmpty();
    }

    @Test
    void anOldEpochOfTheSameRelayChangesNothing() {
        Lease old = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 1);
        Lease fresh = leaseOf(store.retake(RELAY, LONG), KEY.shard());

        assertThat(store.settle(RELAY, List.of(old), List.of(delivered(entries.get(0)))))
                .containsExactly(KEY.shard());
        assertUntouched(entries);

        settle(fresh, delivered(entries.get(0)));
        assertThat(outbox()).isEmpty();
    }

    @Test
    void anotherRelaysLeaseChangesNothing() {
        Lease theirs = takeFor(OTHER_RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 1);

        assertThat(store.settle(RELAY, List.of(theirs), List.of(delivered(entries.get(0)))))
                .containsExactly(KEY.shard());

        assertUntouched(entries);
    }

    @Test
    void aLeaseThatWasGivenBackChangesNothing() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 1);
        store.giveBack(RELAY, List.of(lease));

        assertThat(store.settle(RELAY, List.of(lease), List.of(delivered(entries.get(0)))))
                .containsExactly(KEY.shard());

        assertUntouched(entries);
    }

    @Test
    void outcomesOfKeptShardsApplyAndThoseOfLostOnesDoNot() {
        List<Lease> leases = takeAll(RELAY);
        publish(IntStream.range(0, 300)
                .mapToObj(i -> event(new OrderKey("orders", "partial-" + i)))
                .toList());
        List<Entry> entries = outbox();
        List<Lease> lost =
                leases.stream().filter(lease -> lease.shard() % 3 == 0).toList();
        store.giveBack(RELAY, lost);
        takeAll(OTHER_RELAY);

        Set<Integer> reported = store.settle(
                RELAY, leases, entries.stream().map(StoreContract::delivered).toList());

        assertThat(reported)
                .containsExactlyInAnyOrderElementsOf(
                        lost.stream().map(Lease::shard).toList());
        assertThat(outbox())
                .isEqualTo(
                        entries.stream().filter(entry -> entry.shard() % 3 == 0).toList());
    }

    @Test
    void aStalledRelayHoldsAndRestoresNothing() {
        Lease stale = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        settle(stale, died(entries.get(0), DeadLetterPolicy.PARK));
        store.giveBack(RELAY, List.of(stale));
        Lease fresh = leaseOf(store.take(OTHER_RELAY, Shards.COUNT, LONG), KEY.shard());

        assertThat(store.hold(RELAY, stale, KeyCursor.all(KEY), 10)).isEmpty();
        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries.subList(1, 3)));

        assertThat(store.hold(OTHER_RELAY, fresh, KeyCursor.all(KEY), 10)).hasValue(2);
        assertThat(deadLetters.release(KEY, TESTER)).isTrue();
        assertThat(store.restore(RELAY, stale, KEY, 10)).isEmpty();
        assertThat(outbox()).isEmpty();
        assertThat(deadLetters.parked(10)).hasSize(1);

        assertThat(store.restore(OTHER_RELAY, fresh, KEY, 10)).hasValue(3);
        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries));
    }

    @Test
    void whatASettlerIsDoingHasHappenedWhenTheShardsAreRetakenOrNeverWill() {
        raceAgainstSettle(() -> store.retake(RELAY, LONG), RELAY);
    }

    @Test
    void whatASettlerIsDoingHasHappenedWhenItsSuccessorOwnsTheShardOrNeverWill() {
        raceAgainstSettle(
                () -> {
                    store.giveBack(RELAY, store.renew(RELAY, LONG).leases());
                    return takeAll(OTHER_RELAY);
                },
                OTHER_RELAY);
    }

    /**
     * The relay settles deliveries while its shards are taken over. Whatever the successor reads after it took a shard is
     * final: none of the entries if the settler says that it changed the shard, and all of them if it lost it.
     */
    private void raceAgainstSettle(Callable<List<Lease>> takeOver, UUID successor) {
        try (InParallel threads = new InParallel()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Lease> leases = takeAll(RELAY);
                publish(IntStream.range(0, 300)
                        .mapToObj(i -> event(new OrderKey("orders", "race-" + i)))
                        .toList());
                List<Entry> entries = outbox();

                List<Settled> results = threads.together(List.of(
                        () -> new Settled(store.settle(RELAY, leases, deliveredAll(entries)), Map.of()),
                        () -> readAfter(takeOver.call(), successor)));

                Set<Integer> lost = results.get(0).lost;
                Map<Integer, List<Long>> before = byShard(entries);
                results.get(1)
                        .seen
                        .forEach((shard, seen) -> assertThat(seen)
                                .as("shard %d, which the settler %s", shard, lost.contains(shard) ? "lost" : "settled")
                                .isEqualTo(lost.contains(shard) ? before.getOrDefault(shard, List.of()) : List.of()));
                cleanUp(successor);
            }
        }
    }

    private Settled readAfter(List<Lease> taken, UUID successor) {
        Map<Integer, List<Long>> seen = new HashMap<>();
        for (ShardPage page : scanAll(successor).pages()) {
            if (taken.stream().anyMatch(lease -> lease.shard() == page.lease().shard())) {
                seen.put(page.lease().shard(), sequences(page.entries()));
            }
        }
        return new Settled(Set.of(), seen);
    }

    private void cleanUp(UUID successor) {
        store.leave(RELAY);
        store.leave(successor);
        List<Lease> leases = takeAll(RELAY);
        assertThat(store.settle(RELAY, leases, deliveredAll(outbox()))).isEmpty();
        store.leave(RELAY);
    }

    private static Map<Integer, List<Long>> byShard(List<Entry> entries) {
        Map<Integer, List<Long>> sequences = new HashMap<>();
        for (Entry entry : entries) {
            sequences.computeIfAbsent(entry.shard(), shard -> new ArrayList<>()).add(entry.sequence());
        }
        return sequences;
    }

    private static List<Outcome> deliveredAll(List<Entry> entries) {
        return entries.stream().map(StoreContract::delivered).toList();
    }

    private void assertUntouched(List<Entry> entries) {
        assertThat(outbox()).isEqualTo(entries);
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    /** What one side of the race knows when it is over. */
    private record Settled(Set<Integer> lost, Map<Integer, List<Long>> seen) {}
}
