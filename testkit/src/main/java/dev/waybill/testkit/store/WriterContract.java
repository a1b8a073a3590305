package dev.waybill.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How entries come into the store. */
abstract class WriterContract extends StoreContract {

    @Test
    void eventsOfOneAppendHaveIncreasingSequencesInTheOrderOfTheList() {
        List<Event> events = IntStream.range(0, 200)
                .mapToObj(i -> event(new OrderKey("orders", "o-" + i % 7)))
                .toList();

        publish(events);

        assertThat(ids(outbox())).isEqualTo(idsOf(events));
        assertThat(sequences(outbox())).doesNotHaveDuplicates().allMatch(sequence -> sequence > 0);
    }

    @Test
    void severalAppendsOfATransactionKeepTheirOrder() {
        List<Event> events = List.of(event(KEY), event(KEY), event(KEY), event(KEY));
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(events.subList(0, 1), Set.of());
            transaction.append(events.subList(1, 3), Set.of());
            transaction.append(events.subList(3, 4), Set.of());
            transaction.commit();
        }

        assertThat(ids(entriesOf(KEY))).isEqualTo(idsOf(events));
    }

    @Test
    void laterTransactionsHaveHigherSequences() {
        List<Entry> entries = publishedEntries(KEY, 5);

        assertThat(sequences(entries)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void nothingIsSeenBeforeTheCommit() {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event(KEY)), Set.of());

            assertThat(outbox()).isEmpty();
            assertThat(entriesOf(KEY)).isEmpty();

            transaction.commit();
        }
        assertThat(outbox()).hasSize(1);
    }

    @Test
    void nothingOfARolledBackTransactionIsLeft() {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event(KEY), keyless("mails")), Set.of());
            transaction.rollback();
        }

        assertThat(outbox()).isEmpty();
    }

    @Test
    void aTransactionThatIsClosedWithoutCommitLeavesNothing() {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event(KEY)), Set.of());
        }

        assertThat(outbox()).isEmpty();
    }

    @Test
    void rollingBackToASavepointDropsWhatCameAfterItAndNothingElse() {
        Event before = event(KEY);
        Event undone = event(KEY);
        Event after = event(KEY);
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(before), Set.of());
            Object savepoint = transaction.savepoint();
            transaction.append(List.of(undone), Set.of());
            transaction.rollbackTo(savepoint);
            transaction.append(List.of(after), Set.of());
            transaction.commit();
        }

        assertThat(ids(outbox())).containsExactly(before.id(), after.id());
    }

    @Test
    void anEmptyAppendIsNothing() {
        publish(List.of());

        assertThat(outbox()).isEmpty();
    }

    @Test
    void appendingWithoutATransactionIsRefusedAndStoresNothing() {
        StoreFixture.Transaction committed = fixture.begin();
        committed.commit();
        StoreFixture.Transaction rolledBack = fixture.begin();
        rolledBack.rollback();

        try (committed;
                rolledBack) {
            assertThatThrownBy(() -> committed.append(List.of(event(KEY)), Set.of()))
                    .isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> rolledBack.append(List.of(event(KEY)), Set.of(KEY)))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(outbox()).isEmpty();
    }

    @Test
    void everyFieldComesBackAsItWas() {
        Event event = Event.to("eu.orders:v2/main-$1")
                .key("o-1")
                .type("OrderPlaced")
                .version(7)
                .payload(new byte[] {0, 1, (byte) 0xff, (byte) 0x80, 10, 13})
                .contentType("application/vnd.shop+json; charset=utf-8")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("Empty", "")
                .header("empty", "headers differ by case")
                .occurredAt(Instant.parse("1999-12-31T23:59:59.123456Z"))
                .availableAt(Instant.parse("9998-01-02T03:04:05.654321Z"))
                .build();

        Entry entry = published(event);

        assertThat(entry.event()).isEqualTo(event);
        assertThat(entry.attempts()).isZero();
        assertThat(entry.lastError()).isNull();
    }

    @Test
    void everyFieldOfEventsThatAreStoredTogetherComesBackAsItWas() {
        List<Event> alike = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Event.Builder event = together(i).contentType("text/plain");
            alike.add(i % 2 == 0 ? event.build() : event.key("o-" + i).build());
        }
        // Each differs from the first in one thing that a store might take for common to all.
        List<Event> unlike = List.of(
                together(0).build(),
                together(1).contentType("text/csv").build(),
                together(2).version(3).build(),
                together(3).type("OrderChanged").build(),
                together("mails", 4).build());

        publish(alike);
        unlike.forEach(other -> publish(List.of(unlike.get(0), other)));

        List<Event> expected = new ArrayList<>(alike);
        unlike.forEach(other -> expected.addAll(List.of(unlike.get(0), other)));
        assertThat(outbox().stream().map(Entry::event)).containsExactlyElementsOf(expected);
    }

    private static Event.Builder together(int i) {
        return together("orders", i);
    }

    private static Event.Builder together(String destination, int i) {
        return Event.to(destination)
                .type("OrderPlaced")
                .version(2)
                .payload(new byte[] {(byte) i})
                .occurredAt(Instant.parse("2026-01-01T00:00:00.00000" + i + "Z"));
    }

    @Test
    void theOptionalFieldsMayBeMissing() {
        Event event = Event.to("orders").type("t").build();

        Entry entry = published(event);

        assertThat(entry.event()).isEqualTo(event);
        assertThat(entry.event().key()).isNull();
        assertThat(entry.event().availableAt()).isNull();
        assertThat(entry.event().payload().size()).isZero();
        assertThat(entry.event().headers()).isEmpty();
        assertThat(entry.dueIn()).isEqualTo(Duration.ZERO);
    }

    @Test
    void keysAndHeadersHoldAnyTextAndKeysThatDifferAreDifferent() {
        List<String> keys = List.of(
                "o-1",
                "O-1",
                "o-1 ",
                " o-1",
                "ö-1",
                "o\u0308-1",
                "注文-1",
                "\uD83D\uDE9A",
                "'; DROP TABLE waybill_outbox--",
                "a\\b%c_d\"e",
                "tab\tline\nend",
                "\u0001\u007f\uFFFD",
                "x".repeat(255),
                "\uD83D\uDE9A".repeat(127));
        List<Event> events = new ArrayList<>();
        for (String key : keys) {
            // Headers hold no control characters but the tab.
            String header = key.replaceAll("[\\x00-\\x08\\x0a-\\x1f]", "");
            events.add(
                    Event.to("orders").type("t").key(key).header("copy", header).build());
        }

        publish(events);

        for (Event event : events) {
            OrderKey key = new OrderKey("orders", String.valueOf(event.key()));
            assertThat(entriesOf(key))
                    .as(key.toString())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.event()).isEqualTo(event));
        }
    }

    @Test
    void theLargestHeadersAndNamesFit() {
        Event.Builder event = Event.to("d".repeat(200)).type("t".repeat(200)).contentType("c".repeat(100));
        for (int i = 0; i < 3; i++) {
            event.header("h".repeat(120) + i, "ü".repeat(8192));
        }
        Event largest = event.build();

        assertThat(published(largest).event()).isEqualTo(largest);
    }

    @Test
    void aPayloadOfAMegabyteComesBackAsItWas() {
        byte[] bytes = new byte[1024 * 1024];
        new Random(1).nextBytes(bytes);
        Event event = Event.to("orders").type("t").payload(bytes).build();

        assertThat(published(event).event().payload()).isEqualTo(event.payload());
    }

    @Test
    void theShardIsTheOneThatTheSpecificationSays() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            events.add(event(new OrderKey("orders", "ключ-" + i)));
            events.add(keyless("orders"));
        }
        publish(events);

        for (int shard = 0; shard < Shards.COUNT; shard++) {
            int expected = shard;
            assertThat(ids(scan(fromStart(shard)).entries()))
                    .isEqualTo(idsOf(events.stream()
                            .filter(event -> Shards.of(event) == expected)
                            .toList()));
        }
        assertThat(outbox()).hasSize(400).allMatch(entry -> entry.shard() == Shards.of(entry.event()));
    }

    @Test
    void aDelayedEventIsStoredAtOnceAndSaysWhenItIsDue() {
        Entry entry = published(delayed(KEY, Duration.ofHours(1)));

        assertThat(entry.isDue()).isFalse();
        assertThat(entry.dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void aDelayThatHasPassedIsNoDelay() {
        Entry past = published(delayed(KEY, Duration.ofHours(-1)));
        Event soon = delayed(KEY, SHORT);
        publish(soon);
        outliveShort();

        assertThat(past.isDue()).isTrue();
        assertThat(entryOf(soon).isDue()).isTrue();
    }

    @Test
    void theSameEventMayBePublishedTwice() {
        Event event = event(KEY);

        publish(event);
        publish(event);

        assertThat(ids(entriesOf(KEY))).containsExactly(event.id(), event.id());
    }

    @Test
    void pendingEntriesAreCountedUpToALimit() {
        publish(event(KEY), event(KEY), keyless("mails"), delayed(KEY, Duration.ofHours(1)));
        try (StoreFixture.Transaction open = fixture.begin()) {
            open.append(List.of(event(KEY)), Set.of());

            assertThat(fixture.countPending(100)).as("committed ones only").isEqualTo(4);
        }
        assertThat(fixture.countPending(4)).isEqualTo(4);
        assertThat(fixture.countPending(3)).isEqualTo(3);
        assertThat(fixture.countPending(0)).isZero();
        assertThat(fixture.countPending(Long.MAX_VALUE)).isEqualTo(4);
    }

    @Test
    void whatHasArrivedOrDiedOrWaitsIsNotPending() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 4);
        settle(lease, delivered(entries.get(0)), died(entries.get(1), DeadLetterPolicy.PARK));
        assertThat(fixture.countPending(100)).isEqualTo(2);

        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 1)).hasValue(1);

        assertThat(fixture.countPending(100)).isEqualTo(1);
    }
}
