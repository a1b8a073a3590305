package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The copies of a replay are entries like any others, and stay marked. */
abstract class ReplayCopyContract extends ReplayingContract {

    @Test
    void whatIsPublishedIsNoCopy() {
        assertThat(published(event(KEY)).replay()).isZero();
    }

    @Test
    void aCopyKeepsItsGenerationWhenItFailsWaitsAndDies() {
        Copies copies = replayTwo();
        Lease lease = copies.lease;
        settle(lease, retried(copies.first, Duration.ZERO));
        assertThat(entriesOf(KEY).get(0).replay()).as("retried").isEqualTo(copies.generation);

        settle(lease, died(copies.first, DeadLetterPolicy.PARK));
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        assertThat(deadLetters
                        .find(copies.first.sequence())
                        .orElseThrow()
                        .entry()
                        .replay())
                .as("dead")
                .isEqualTo(copies.generation);
        deadLetters.release(KEY, TESTER);
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(2);
        assertMarked("released", copies.generation);

        settle(lease, died(copies.first, DeadLetterPolicy.PARK));
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        deadLetters.skip(KEY, TESTER);
        store.restore(RELAY, lease, KEY, 10);
        deadLetters.redrive(copies.first.sequence(), TESTER);
        assertMarked("skipped and redriven", copies.generation);

        operations.pauseKey(KEY, TESTER);
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        operations.resumeKey(KEY, TESTER);
        store.restore(RELAY, lease, KEY, 10);
        assertMarked("paused and resumed", copies.generation);

        settleDelivered(entriesOf(KEY));
        assertThat(operations.find(copies.first.event().id()).stream()
                        .map(located -> located.entry().replay()))
                .as("delivered")
                .containsExactlyInAnyOrder(0, copies.generation);
    }

    @Test
    void aCopyWaitsBehindWhatIsPendingOfItsKey() {
        Instant start = fixture.now();
        Event first = event(KEY);
        deliver(first);
        Event pending = event(KEY);
        publish(pending);

        replayed(ReplayFilter.between(start, fixture.now()));

        assertThat(ids(entriesOf(KEY))).containsExactly(pending.id(), first.id());
    }

    @Test
    void aCopyOfADelayedEventIsNotDelayedAgain() {
        Instant start = fixture.now();
        Event event = delayed(KEY, Duration.ofMillis(100));
        publish(event);
        fixture.passTime(Duration.ofMillis(110));
        settleDelivered(outbox());

        replayed(ReplayFilter.between(start, fixture.now()));

        assertThat(outbox()).singleElement().satisfies(copy -> {
            assertThat(copy.isDue()).isTrue();
            assertThat(copy.event().availableAt()).isNull();
            assertThat(copy.event().id()).isEqualTo(event.id());
        });
        assertThat(operations.cancel(event.id(), TESTER)).isFalse();
    }

    @Test
    void whatFailedBeforeItWasDeliveredIsReplayedWithAllOfItsAttempts() {
        Instant start = fixture.now();
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, retried(entry, Duration.ZERO));
        settleDelivered(List.of(entry));

        replayed(ReplayFilter.between(start, fixture.now()));

        assertThat(outbox()).singleElement().matches(copy -> copy.attempts() == 0 && copy.lastError() == null);
    }

    @Test
    void aRelayThatHasReadEverythingReadsTheCopiesNext() {
        Instant start = fixture.now();
        Entry entry = deliver(event(KEY)).get(0);
        long rewind = rewindOf(entry.shard());

        replayed(ReplayFilter.between(start, fixture.now()));

        assertThat(scan(cursor(entry.shard(), entry.sequence(), entry.sequence(), 10))
                        .entries())
                .hasSize(1);
        assertThat(rewindOf(entry.shard())).as("nothing is put back").isEqualTo(rewind);
    }

    private Copies replayTwo() {
        Instant start = fixture.now();
        deliver(event(KEY), event(KEY));
        int generation = replayed(ReplayFilter.between(start, fixture.now())).generation();
        List<Entry> entries = entriesOf(KEY);
        assertMarked("new", generation);
        return new Copies(generation, leaseOf(store.renew(RELAY, LONG).leases(), KEY.shard()), entries.get(0));
    }

    private void assertMarked(String state, int generation) {
        assertThat(entriesOf(KEY))
                .as(state)
                .hasSize(2)
                .allMatch(entry -> entry.replay() == generation)
                .extracting(Entry::sequence)
                .isSorted();
    }

    private record Copies(int generation, Lease lease, Entry first) {}
}
