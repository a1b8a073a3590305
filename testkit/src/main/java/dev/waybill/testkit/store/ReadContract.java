package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a relay reads by destination, by key, by sequence and by due time. */
abstract class ReadContract extends StoreContract {
    private static final int SHARD = KEY.shard();
    private static final OrderKey NEIGHBOUR = ScanContract.inShard("mails", SHARD);
    private static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

    @Test
    void aLaneReadsOneDestinationOfOneShard() {
        publish(event(KEY), event(NEIGHBOUR), event(KEY), event(KEY));
        publish(event(ScanContract.inShard(KEY.destination(), (SHARD + 1) % 64)));
        List<Long> all = sequences(entriesOf(KEY));

        LaneCursor first = new LaneCursor(SHARD, KEY.destination(), 0, 2, Long.MAX_VALUE);
        LaneCursor second = new LaneCursor(SHARD, KEY.destination(), all.get(1), 2, Long.MAX_VALUE);
        LaneCursor other = new LaneCursor(SHARD, "mails", 0, 2, Long.MAX_VALUE);
        List<LanePage> pages = store.readLanes(List.of(first, second, other));

        assertThat(pages.stream().map(LanePage::cursor)).containsExactlyInAnyOrder(first, second, other);
        LanePage firstPage = pageOf(pages, first);
        assertThat(sequences(firstPage.entries())).isEqualTo(all.subList(0, 2));
        assertThat(firstPage.position()).isEqualTo(all.get(1));
        assertThat(firstPage.more()).isTrue();
        LanePage secondPage = pageOf(pages, second);
        assertThat(sequences(secondPage.entries())).isEqualTo(all.subList(2, 3));
        assertThat(secondPage.position()).isGreaterThanOrEqualTo(all.get(2));
        assertThat(secondPage.more()).isFalse();
        assertThat(sequences(pageOf(pages, other).entries())).isEqualTo(sequences(entriesOf(NEIGHBOUR)));
    }

    @Test
    void anEmptyLaneIsAnEmptyPage() {
        LaneCursor cursor = new LaneCursor(SHARD, "nowhere", 5, 10, Long.MAX_VALUE);

        LanePage page = pageOf(store.readLanes(List.of(cursor)), cursor);

        assertThat(page.entries()).isEmpty();
        assertThat(page.position()).isGreaterThanOrEqualTo(5);
        assertThat(page.more()).isFalse();
        assertThat(store.readLanes(List.of())).isEmpty();
    }

    @Test
    void aLaneStopsWhenThePayloadsExceedItsBytesButReadsTheFirst() {
        publish(sized(KEY, 5000), sized(KEY, 1000), sized(KEY, 1000));
        List<Long> all = sequences(entriesOf(KEY));

        List<Long> read = new ArrayList<>();
        long position = 0;
        LanePage page;
        int pages = 0;
        do {
            LaneCursor cursor = new LaneCursor(SHARD, KEY.destination(), position, 10, 1500);
            page = pageOf(store.readLanes(List.of(cursor)), cursor);
            assertThat(page.entries()).isNotEmpty();
            read.addAll(sequences(page.entries()));
            position = page.position();
            pages++;
        } while (page.more());

        assertThat(read).isEqualTo(all);
        assertThat(pages).isGreaterThan(1);
    }

    private static LanePage pageOf(List<LanePage> pages, LaneCursor cursor) {
        return pages.stream()
                .filter(page -> page.cursor().equals(cursor))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readingKeysFindsTheFirstEntriesOfEachWhetherDueOrNot() {
        OrderKey unknown = new OrderKey("orders", "unknown");
        Event delayed = delayed(KEY, Duration.ofHours(1));
        Event second = event(KEY);
        Event other = event(NEIGHBOUR);
        publish(delayed, other, second, event(KEY));
        publish(event(new OrderKey("orders", "not asked for")), keyless("orders"));

        List<Entry> read = store.readKeys(
                Stream.of(KEY, unknown, NEIGHBOUR).map(KeyCursor::all).toList(), 2);

        assertThat(ids(ofKey(read, KEY))).containsExactly(delayed.id(), second.id());
        assertThat(ids(ofKey(read, NEIGHBOUR))).containsExactly(other.id());
        assertThat(read).hasSize(3);
        assertThat(store.readKeys(List.of(), 2)).isEmpty();
    }

    @Test
    void aStretchOfAKeyIsReadBetweenItsMarks() {
        publish(event(KEY), event(NEIGHBOUR), event(KEY), event(KEY), event(KEY));
        List<Long> all = sequences(entriesOf(KEY));

        List<Entry> middle = store.readKeys(List.of(new KeyCursor(KEY, all.get(1), all.get(2))), 10);
        List<Entry> first = store.readKeys(List.of(new KeyCursor(KEY, all.get(1), all.get(3))), 1);
        List<Entry> none = store.readKeys(List.of(new KeyCursor(KEY, all.get(2), all.get(1))), 10);

        assertThat(sequences(middle)).containsExactly(all.get(1), all.get(2));
        assertThat(sequences(first)).containsExactly(all.get(1));
        assertThat(none).isEmpty();
    }

    @Test
    void aKeyOfAnotherDestinationIsAnotherKey() {
        OrderKey namesake = new OrderKey("elsewhere", KEY.key());
        publish(event(KEY), event(namesake));

        assertThat(entriesOf(namesake))
                .singleElement()
                .matches(entry -> entry.destination().equals("elsewhere"));
    }

    @Test
    void manyKeysAreReadAtOnce() {
        List<OrderKey> keys = IntStream.range(0, 500)
                .mapToObj(i -> new OrderKey("orders", "many-" + i))
                .toList();
        publish(keys.stream()
                .flatMap(key -> IntStream.range(0, 3).mapToObj(i -> event(key)))
                .toList());

        List<Entry> read = store.readKeys(keys.stream().map(KeyCursor::all).toList(), 2);

        assertThat(read).hasSize(1000);
        assertThat(keys)
                .allSatisfy(key ->
                        assertThat(sequences(ofKey(read, key))).hasSize(2).isSorted());
    }

    private static List<Entry> ofKey(List<Entry> entries, OrderKey key) {
        return entries.stream()
                .filter(entry -> entry.orderKey().filter(key::equals).isPresent())
                .toList();
    }

    @Test
    void readingEntriesFindsThoseThatStillExistBySequence() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 4);
        settle(lease, delivered(entries.get(1)));
        List<Long> wanted = new ArrayList<>(sequences(entries));
        wanted.remove(0);
        java.util.Collections.reverse(wanted);
        wanted.add(Long.MAX_VALUE);

        assertThat(store.readEntries(SHARD, wanted)).isEqualTo(entries.subList(2, 4));
        assertThat(store.readEntries(SHARD, List.of())).isEmpty();
    }

    @Test
    void dueEntriesAreReadByDueTimeThenSequence() {
        Instant now = fixture.now();
        Event last = at(KEY, now.plusMillis(200));
        Event first = at(KEY, now.plusMillis(100));
        Event alsoLast = at(NEIGHBOUR, now.plusMillis(200));
        publish(last, event(KEY), first, alsoLast);
        outliveShort();

        DuePage page = store.readDue(ALL_SHARDS, DueCursor.START, 10);

        assertThat(ids(page.entries())).containsExactly(first.id(), last.id(), alsoLast.id());
        assertThat(page.entries()).allMatch(Entry::isDue);
        assertThat(page.more()).isFalse();
        assertThat(page.nextIn()).isEmpty();
        assertThat(store.readDue(ALL_SHARDS, page.next(), 10).entries()).isEmpty();
    }

    @Test
    void pagingThroughEqualDueTimesOfManyShardsMissesNothing() {
        Instant due = fixture.now().plusMillis(100);
        List<Event> events = IntStream.range(0, 25)
                .mapToObj(i -> at(new OrderKey("orders", "due-" + i), due))
                .toList();
        publish(events);
        outliveShort();

        List<Entry> read = new ArrayList<>();
        DueCursor cursor = DueCursor.START;
        DuePage page;
        do {
            page = store.readDue(ALL_SHARDS, cursor, 4);
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(4);
            read.addAll(page.entries());
            cursor = page.next();
        } while (page.more());

        assertThat(ids(read)).isEqualTo(idsOf(events));
    }

    @Test
    void theNextDueTimeIsKnownAndLaterReadsGoOnThere() {
        Event soon = delayed(KEY, SHORT);
        Event later = delayed(KEY, Duration.ofHours(1));
        publish(later, soon);

        DuePage early = store.readDue(ALL_SHARDS, DueCursor.START, 10);
        assertThat(early.entries()).isEmpty();
        assertThat(early.nextIn()).hasValueSatisfying(next -> assertThat(next).isLessThanOrEqualTo(SHORT));
        outliveShort();
        DuePage page = store.readDue(ALL_SHARDS, early.next(), 10);

        assertThat(ids(page.entries())).containsExactly(soon.id());
        assertThat(page.nextIn())
                .hasValueSatisfying(next -> assertThat(next).isBetween(Duration.ofMinutes(59), Duration.ofHours(1)));
    }

    @Test
    void aRetriedEntryIsFoundAgainWhenItIsDue() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, retried(entry, SHORT));
        DuePage before = store.readDue(Set.of(SHARD), DueCursor.START, 10);
        outliveShort();

        DuePage after = store.readDue(Set.of(SHARD), before.next(), 10);

        assertThat(before.entries()).isEmpty();
        assertThat(sequences(after.entries())).containsExactly(entry.sequence());
    }

    @Test
    void dueEntriesOfOtherShardsAreLeftOut() {
        publish(delayed(KEY, Duration.ofMillis(-1)), delayed(KEY, Duration.ofHours(1)));
        Set<Integer> others = new HashSet<>(ALL_SHARDS);
        others.remove(SHARD);

        DuePage page = store.readDue(others, DueCursor.START, 10);

        assertThat(page.entries()).isEmpty();
        assertThat(page.nextIn()).isEmpty();
        assertThat(store.readDue(Set.of(SHARD), DueCursor.START, 10).entries()).hasSize(1);
        assertThat(store.readDue(Set.of(), DueCursor.START, 10).entries()).isEmpty();
    }

    @Test
    void whatIsNotCommittedCannotBeRead() {
        Event event = at(KEY, fixture.now().minusSeconds(1));
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event), Set.of());

            LaneCursor lane = new LaneCursor(SHARD, KEY.destination(), 0, 10, Long.MAX_VALUE);
            assertThat(store.readLanes(List.of(lane)))
                    .allMatch(page -> page.entries().isEmpty());
            assertThat(store.readKeys(List.of(KeyCursor.all(KEY)), 10)).isEmpty();
            assertThat(store.readDue(ALL_SHARDS, DueCursor.START, 10).entries()).isEmpty();
        }
    }

    private static Event at(OrderKey key, Instant time) {
        return Event.to(key.destination())
                .key(key.key())
                .type("tested")
                .availableAt(time)
                .build();
    }
}
