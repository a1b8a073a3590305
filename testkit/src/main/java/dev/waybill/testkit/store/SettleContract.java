package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How outcomes are written back by the relay that holds the leases. */
abstract class SettleContract extends StoreContract {
    private static final int MAX_ERROR = 2_000;

    @Test
    void aDeliveredEntryLeavesTheOutbox() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);

        settle(lease, delivered(entries.get(0)), delivered(entries.get(2)));

        assertThat(entriesOf(KEY)).containsExactly(entries.get(1));
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
    }

    @Test
    void aRetriedEntryStaysWithOneMoreAttemptItsErrorAndItsDueTime() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));

        settle(lease, retried(entry, Duration.ofHours(1)));

        Entry once = entryOf(entry.event());
        assertThat(once.sequence()).isEqualTo(entry.sequence());
        assertThat(once.event()).isEqualTo(entry.event());
        assertThat(once.attempts()).isEqualTo(1);
        assertThat(once.lastError()).isEqualTo("it failed");
        assertThat(once.dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));

        settle(lease, new Outcome.Retried(entry.shard(), entry.sequence(), Duration.ZERO, "again"));

        Entry twice = entryOf(entry.event());
        assertThat(twice.attempts()).isEqualTo(2);
        assertThat(twice.lastError()).isEqualTo("again");
        assertThat(twice.isDue()).isTrue();
    }

    @Test
    void anEntryThatIsToWaitForEverIsKept() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));

        settle(lease, retried(entry, Duration.ofSeconds(Long.MAX_VALUE)));

        assertThat(entryOf(entry.event()).dueIn()).isGreaterThan(Duration.ofDays(36_000));
    }

    @Test
    void aRetriedEntryIsDueAgainAfterItsTime() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, retried(entry, SHORT));

        outliveShort();

        assertThat(entryOf(entry.event()).isDue()).isTrue();
    }

    @Test
    void aDeadEntryMovesToTheDeadLetters() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, retried(entry, Duration.ZERO));
        Instant before = fixture.now();

        settle(lease, died(entry, DeadLetterPolicy.SKIP));

        assertThat(outbox()).isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.state()).isEqualTo(DeadLetter.State.PENDING);
                    assertThat(letter.diedAt())
                            .isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
                    assertThat(letter.entry().event()).isEqualTo(entry.event());
                    assertThat(letter.entry().sequence()).isEqualTo(entry.sequence());
                    assertThat(letter.entry().shard()).isEqualTo(entry.shard());
                    assertThat(letter.entry().attempts()).isEqualTo(2);
                    assertThat(letter.entry().lastError()).isEqualTo("it is dead");
                });
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    @Test
    void aDeadEntryWithoutAKeyParksNothing() {
        List<Lease> leases = takeAll(RELAY);
        Entry entry = published(keyless("mails"));

        settle(leaseOf(leases, entry.shard()), died(entry, DeadLetterPolicy.PARK));

        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).hasSize(1);
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    @Test
    void anEntryThatDoesNotExistAnyMoreIsPassedOver() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 4);
        Outcome[] outcomes = {
            delivered(entries.get(0)),
            retried(entries.get(1), Duration.ofHours(1)),
            died(entries.get(2), DeadLetterPolicy.SKIP)
        };
        settle(lease, delivered(entries.get(0)), delivered(entries.get(1)), delivered(entries.get(2)));

        settle(lease, outcomes);
        settle(lease, new Outcome.Delivered(lease.shard(), Long.MAX_VALUE), delivered(entries.get(3)));

        assertThat(outbox()).isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10)).isEmpty();
        assertThat(deadLetters.parked(10)).isEmpty();
    }

    @Test
    void settlingADeathTwiceIsOneDeadLetter() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));

        settle(lease, died(entry, DeadLetterPolicy.PARK));
        settle(lease, died(entry, DeadLetterPolicy.PARK));

        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .matches(letter -> letter.entry().attempts() == 1);
        assertThat(deadLetters.parked(10)).hasSize(1);
    }

    @Test
    void settlingNothingIsNothing() {
        assertThat(store.settle(RELAY, takeAll(RELAY), List.of())).isEmpty();
        assertThat(store.settle(RELAY, List.of(), List.of())).isEmpty();
    }

    @Test
    void settlingDoesNotBumpTheRewindCounter() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);

        settle(lease, retried(entries.get(0), Duration.ZERO), delivered(entries.get(1)));

        assertThat(rewindOf(KEY.shard())).isEqualTo(lease.rewind());
    }

    @Test
    void longErrorsAreTrimmed() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        String text = "e".repeat(MAX_ERROR - 1) + "\uD83D\uDE9A";

        settle(
                lease,
                new Outcome.Retried(lease.shard(), entries.get(0).sequence(), Duration.ZERO, text + "tail"),
                new Outcome.Retried(lease.shard(), entries.get(1).sequence(), Duration.ZERO, "e".repeat(1_000_000)),
                new Outcome.Died(lease.shard(), entries.get(2).sequence(), text.repeat(3), DeadLetterPolicy.SKIP));

        List<String> errors = new ArrayList<>();
        entriesOf(KEY).forEach(entry -> errors.add(String.valueOf(entry.lastError())));
        deadLetters
                .list(DeadLetterFilter.all(), 0, 10)
                .forEach(letter -> errors.add(String.valueOf(letter.entry().lastError())));
        assertThat(errors).hasSize(3).allSatisfy(error -> {
            assertThat(error).startsWith("e".repeat(MAX_ERROR - 1));
            assertThat(error.codePointCount(0, error.length())).isLessThanOrEqualTo(MAX_ERROR);
        });
    }

    @Test
    void anErrorThatADatabaseCannotStoreDoesNotStopTheSettling() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);

        settle(
                lease,
                new Outcome.Retried(lease.shard(), entries.get(0).sequence(), Duration.ZERO, "nul \0 end"),
                new Outcome.Retried(lease.shard(), entries.get(1).sequence(), Duration.ZERO, "half \uD83D end"),
                new Outcome.Died(lease.shard(), entries.get(2).sequence(), "\uDE9A \0 end", DeadLetterPolicy.SKIP));

        assertThat(entriesOf(KEY))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.lastError()).endsWith(" end"));
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.entry().lastError()).endsWith(" end"));
    }

    @Test
    void aThousandOutcomesOfAllShardsAreSettledAtOnce() {
        List<Lease> leases = takeAll(RELAY);
        publish(IntStream.range(0, 1000)
                .mapToObj(i -> event(new OrderKey("orders", "batch-" + i)))
                .toList());
        List<Entry> entries = outbox();
        assertThat(entries.stream().map(Entry::shard).distinct()).hasSize(Shards.COUNT);
        List<Outcome> outcomes = new ArrayList<>();
        List<Long> retried = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            outcomes.add(
                    switch (i % 4) {
                        case 0 -> retried(entry, Duration.ofHours(1));
                        case 1 -> died(entry, DeadLetterPolicy.SKIP);
                        case 2 -> died(entry, DeadLetterPolicy.PARK);
                        default -> delivered(entry);
                    });
            if (i % 4 == 0) {
                retried.add(entry.sequence());
            }
        }

        assertThat(store.settle(RELAY, leases, outcomes)).isEmpty();

        assertThat(sequences(outbox())).isEqualTo(retried);
        assertThat(outbox()).allMatch(entry -> entry.attempts() == 1 && !entry.isDue());
        assertThat(deadLetters.list(DeadLetterFilter.all(), 0, 1000)).hasSize(500);
        assertThat(deadLetters.parked(1000)).hasSize(250);
    }

    @Test
    void manySettlersOfDifferentShardsDoNotDisturbEachOther() {
        List<Lease> mine = store.take(RELAY, 32, LONG);
        List<Lease> theirs = store.take(OTHER_RELAY, 32, LONG);
        List<Event> events = IntStream.range(0, 400)
                .mapToObj(i -> event(new OrderKey("orders", "both-" + i)))
                .toList();
        publish(events);
        List<Entry> entries = outbox();

        try (InParallel threads = new InParallel()) {
            List<Set<Integer>> lost = threads.together(List.of(
                    () -> store.settle(RELAY, mine, deliveredIn(entries, mine)),
                    () -> store.settle(OTHER_RELAY, theirs, deliveredIn(entries, theirs))));
            assertThat(lost).containsOnly(Set.of());
        }

        assertThat(outbox()).isEmpty();
    }

    private static List<Outcome> deliveredIn(List<Entry> entries, List<Lease> leases) {
        List<Integer> shards = leases.stream().map(Lease::shard).toList();
        return entries.stream()
                .filter(entry -> shards.contains(entry.shard()))
                .map(StoreContract::delivered)
                .toList();
    }
}
