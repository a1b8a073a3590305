package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a relay reads on in its shards, without ever missing a late commit. */
abstract class ScanContract extends StoreContract {
    private static final int SHARD = KEY.shard();

    /** A key of another destination in the same shard. */
    private static final OrderKey NEIGHBOUR = inShard("mails", SHARD);

    /** Whatever a scan shows of a shard, a peek shows too. */
    @Override
    ShardPage scan(ScanCursor cursor) {
        ShardPage scanned = super.scan(cursor);
        ShardPage peeked = store.peek(RELAY, List.of(cursor)).pages().get(0);
        assertThat(peeked)
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*dueIn")
                .isEqualTo(scanned);
        return scanned;
    }

    @Test
    void anEmptyShardIsAnEmptyPageAtTheSamePosition() {
        ShardPage page = scan(cursor(SHARD, 3, 17, 10));

        assertThat(page.entries()).isEmpty();
        assertThat(page.below()).isEmpty();
        assertThat(page.position()).isEqualTo(17);
        assertThat(page.more()).isFalse();
        assertThat(page.owned()).isFalse();
        assertThat(page.lease().shard()).isEqualTo(SHARD);
    }

    @Test
    void everyCursorHasAPageInTheirOrder() {
        List<Integer> shards = List.of(63, 0, SHARD, 17);
        Entry entry = published(event(KEY));

        List<ShardPage> pages = store.scan(
                        RELAY, shards.stream().map(StoreContract::fromStart).toList())
                .pages();

        assertThat(pages.stream().map(page -> page.lease().shard())).isEqualTo(shards);
        assertThat(pages.stream().flatMap(page -> page.entries().stream()).map(Entry::sequence))
                .containsExactly(entry.sequence());
    }

    @Test
    void aScanReadsBeyondItsPositionBySequence() {
        List<Long> all = sequences(publishedEntries(KEY, 5));

        ShardPage page = scan(cursor(SHARD, all.get(1), all.get(1), 10));

        assertThat(sequences(page.entries())).isEqualTo(all.subList(2, 5));
        assertThat(page.position()).isEqualTo(all.get(4));
        assertThat(page.more()).isFalse();
        assertThat(page.below()).isEmpty();
    }

    @Test
    void aScanStopsAtItsLimitAndGoesOnFromThere() {
        List<Long> all = sequences(publishedEntries(KEY, 5));

        ShardPage first = scan(cursor(SHARD, 0, 0, 2));
        ShardPage second = scan(cursor(SHARD, first.position(), first.position(), 2));
        ShardPage third = scan(cursor(SHARD, second.position(), second.position(), 2));

        assertThat(sequences(first.entries())).isEqualTo(all.subList(0, 2));
        assertThat(first.position()).isEqualTo(all.get(1));
        assertThat(first.more()).isTrue();
        assertThat(sequences(second.entries())).isEqualTo(all.subList(2, 4));
        assertThat(second.more()).isTrue();
        assertThat(sequences(third.entries())).isEqualTo(all.subList(4, 5));
        assertThat(third.more()).isFalse();
    }

    @Test
    void aScanStopsWhenThePayloadsExceedItsBytes() {
        publish(IntStream.range(0, 6).mapToObj(i -> sized(KEY, 1000)).toList());
        List<Long> all = sequences(entriesOf(KEY));

        List<Long> read = new ArrayList<>();
        long position = 0;
        ShardPage page;
        do {
            page = scan(new ScanCursor(SHARD, position, position, 100, 2500, Set.of()));
            assertThat(page.entries()).hasSizeBetween(1, 3);
            read.addAll(sequences(page.entries()));
            position = page.position();
        } while (page.more());

        assertThat(read).isEqualTo(all);
    }

    @Test
    void theFirstEntryIsReadWhateverItsSize() {
        publish(sized(KEY, 100_000), sized(KEY, 1));

        ShardPage page = scan(new ScanCursor(SHARD, 0, 0, 100, 10, Set.of()));

        assertThat(sequences(page.entries()))
                .isEqualTo(sequences(entriesOf(KEY)).subList(0, 1));
        assertThat(page.more()).isTrue();
    }

    @Test
    void skippedDestinationsAreLeftOutButCountForPositionAndLimit() {
        publish(event(KEY), event(NEIGHBOUR), event(KEY), event(NEIGHBOUR));
        List<Long> ours = sequences(entriesOf(KEY));
        List<Long> skipped = sequences(entriesOf(NEIGHBOUR));

        ShardPage all = scan(new ScanCursor(SHARD, 0, 0, 10, Long.MAX_VALUE, Set.of("mails", "unknown")));
        ShardPage limited = scan(new ScanCursor(SHARD, 0, 0, 2, Long.MAX_VALUE, Set.of("mails")));

        assertThat(sequences(all.entries())).isEqualTo(ours);
        assertThat(all.position()).isEqualTo(skipped.get(1));
        assertThat(all.more()).isFalse();
        assertThat(sequences(limited.entries())).isEqualTo(ours.subList(0, 1));
        assertThat(limited.position()).isEqualTo(skipped.get(0));
        assertThat(limited.more()).isTrue();
    }

    @Test
    void aLimitFullOfSkippedEntriesStillMovesThePosition() {
        publish(event(NEIGHBOUR), event(NEIGHBOUR), event(NEIGHBOUR));

        ShardPage page = scan(new ScanCursor(SHARD, 0, 0, 2, Long.MAX_VALUE, Set.of("mails")));

        assertThat(page.entries()).isEmpty();
        assertThat(page.position()).isEqualTo(sequences(entriesOf(NEIGHBOUR)).get(1));
        assertThat(page.more()).isTrue();
    }

    @Test
    void aScanShowsEntriesThatAreNotDueYet() {
        publish(delayed(KEY, Duration.ofHours(1)));

        assertThat(scan(fromStart(SHARD)).entries()).singleElement().matches(entry -> !entry.isDue());
    }

    @Test
    void belowListsWhatIsBetweenTheMarks() {
        publish(event(KEY), event(NEIGHBOUR), event(KEY), event(KEY), event(KEY));
        List<Long> all = sequences(scan(fromStart(SHARD)).entries());

        ShardPage page = scan(new ScanCursor(SHARD, all.get(0), all.get(3), 10, Long.MAX_VALUE, Set.of("mails")));

        assertThat(page.below())
                .as("the position itself included, the low-water mark not; those of skipped destinations too")
                .containsExactlyInAnyOrderElementsOf(all.subList(1, 4));
        assertThat(sequences(page.entries())).isEqualTo(all.subList(4, 5));
    }

    @Test
    void aLateCommitAppearsBelow() {
        Event late = event(KEY);
        try (StoreFixture.Transaction slow = fixture.begin()) {
            slow.append(List.of(late), Set.of());
            publish(event(KEY));
            ShardPage before = scan(fromStart(SHARD));
            assertThat(before.entries()).hasSize(1);
            long position = before.position();
            assertThat(scan(cursor(SHARD, 0, position, 10)).below()).containsExactly(position);

            slow.commit();

            ShardPage after = scan(cursor(SHARD, 0, position, 10));
            long lateSequence = entryOf(late).sequence();
            assertThat(lateSequence).isLessThan(position);
            assertThat(after.below()).containsExactlyInAnyOrder(lateSequence, position);
            assertThat(after.entries()).isEmpty();
            assertThat(after.position()).isEqualTo(position);
        }
    }

    @Test
    void aWriterIsListedUntilItEnds() {
        Set<String> before = writers();
        StoreFixture.Transaction committing = fixture.begin();
        StoreFixture.Transaction rollingBack = fixture.begin();
        try (committing;
                rollingBack) {
            committing.append(List.of(event(KEY)), Set.of());
            Set<String> first = newWriters(before);
            assertThat(first).isNotEmpty();
            rollingBack.append(List.of(event(KEY)), Set.of());
            Set<String> second = newWriters(before);
            assertThat(second).containsAll(first).hasSizeGreaterThan(first.size());

            committing.commit();
            assertThat(newWriters(before)).isNotEmpty().doesNotContainAnyElementsOf(first);

            rollingBack.rollback();
            assertThat(newWriters(before)).isEmpty();
        }
    }

    @Test
    void aWriterIsListedWhateverShardsAreScanned() {
        Set<String> before = writers();
        try (StoreFixture.Transaction writer = fixture.begin()) {
            writer.append(List.of(event(KEY)), Set.of());

            Set<String> listed = new HashSet<>(
                    store.scan(RELAY, List.of(fromStart((SHARD + 1) % 64))).writers());
            listed.removeAll(before);

            assertThat(listed).isNotEmpty();
        }
    }

    @Test
    void aTransactionThatWroteNothingIsNotListed() {
        Set<String> before = writers();
        try (StoreFixture.Transaction idle = fixture.begin()) {
            assertThat(newWriters(before)).isEmpty();
            idle.commit();
        }
        publish(event(KEY));
        assertThat(newWriters(before)).isEmpty();
    }

    @Test
    void everyLateCommitIsEitherSeenOrItsWriterIsListed() {
        int writers = 3;
        int transactions = 20;
        List<Long> seen = new ArrayList<>();
        try (InParallel threads = new InParallel()) {
            var done = IntStream.range(0, writers)
                    .mapToObj(i -> threads.start(() -> publishSlowly(transactions)))
                    .toList();
            // The relay's rule: the mark moves to a noted position once all who were writing then have ended.
            long lowWater = 0;
            long position = 0;
            long noted = 0;
            Set<String> pending = Set.of();
            boolean running = true;
            long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (running || lowWater < position || !pending.isEmpty()) {
                assertThat(System.nanoTime()).as("writers that never end").isLessThan(giveUp);
                running = done.stream().anyMatch(future -> !future.isDone());
                Scan scan = store.scan(RELAY, List.of(cursor(SHARD, lowWater, position, 10)));
                ShardPage page = scan.pages().get(0);
                page.below().stream()
                        .filter(sequence -> !seen.contains(sequence))
                        .forEach(seen::add);
                seen.addAll(sequences(page.entries()));
                position = page.position();
                if (pending.isEmpty()) {
                    lowWater = noted;
                    noted = position;
                    pending = scan.writers();
                } else {
                    Set<String> left = new HashSet<>(pending);
                    left.retainAll(scan.writers());
                    pending = left;
                }
            }
            done.forEach(InParallel::result);
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(sequences(entriesOf(KEY)));
        assertThat(seen).hasSize(2 * writers * transactions);
    }

    private boolean publishSlowly(int transactions) {
        for (int i = 0; i < transactions; i++) {
            try (StoreFixture.Transaction transaction = fixture.begin()) {
                transaction.append(List.of(event(KEY)), Set.of());
                transaction.append(List.of(event(KEY)), Set.of());
                transaction.commit();
            }
        }
        return true;
    }

    @Test
    void aPageSaysWhoOwnsTheShard() {
        Lease lease = takeFor(RELAY, KEY);

        ShardPage mine = store.scan(RELAY, List.of(fromStart(SHARD))).pages().get(0);
        ShardPage others =
                store.scan(OTHER_RELAY, List.of(fromStart(SHARD))).pages().get(0);

        assertThat(mine.owned()).isTrue();
        assertThat(mine.lease()).isEqualTo(lease);
        assertThat(others.owned()).isFalse();
        assertThat(others.lease()).isEqualTo(lease);
        assertThat(store.peek(RELAY, List.of(fromStart(SHARD))).pages()).containsExactly(mine);
        assertThat(store.peek(OTHER_RELAY, List.of(fromStart(SHARD))).pages()).containsExactly(others);
    }

    @Test
    void scanningChangesNothing() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);

        scanAll(OTHER_RELAY);

        assertThat(scan(fromStart(SHARD)).lease()).isEqualTo(lease);
        assertThat(sequences(entriesOf(KEY))).isEqualTo(sequences(entries));
    }

    private Set<String> writers() {
        return store.scan(RELAY, List.of(fromStart(SHARD))).writers();
    }

    private Set<String> newWriters(Set<String> before) {
        Set<String> writers = new HashSet<>(writers());
        writers.removeAll(before);
        return writers;
    }

    static OrderKey inShard(String destination, int shard) {
        return IntStream.range(0, 100_000)
                .mapToObj(i -> new OrderKey(destination, "k-" + i))
                .filter(key -> key.shard() == shard)
                .findFirst()
                .orElseThrow();
    }
}
