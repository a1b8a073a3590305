package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.operations.Located;
import dev.waybill.operations.Located.Place;
import dev.waybill.operations.Statistics;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was delivered is remembered for a while. */
abstract class HistoryContract extends StoreContract {
    private static final Duration RETENTION = Duration.ofMillis(800);

    abstract StoreFixture open(Duration retention);

    @Test
    void aDeliveredEntryIsFoundWithTheTimeOfItsDelivery() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, retried(entry, Duration.ZERO));
        fixture.passTime(Duration.ofMillis(50));
        Instant before = fixture.now();

        settle(lease, delivered(entry));

        Located found = found(entry.event());
        assertThat(found.place()).isEqualTo(Place.DELIVERED);
        assertThat(found.since()).isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
        assertThat(found.owner()).isNull();
        assertThat(found.entry().sequence()).isEqualTo(entry.sequence());
        assertThat(found.entry().shard()).isEqualTo(entry.shard());
        assertThat(found.entry().event()).isEqualTo(entry.event());
        assertThat(found.entry().attempts()).as("failed ones").isEqualTo(1);
    }

    @Test
    void everyFieldOfADeliveredEventIsRemembered() {
        Event event = Event.to("eu.orders:v2/main-$1")
                .key("注文 \uD83D\uDE9A")
                .type("OrderPlaced")
                .version(7)
                .payload(new byte[] {0, 1, (byte) 0xff, (byte) 0x80, 10, 13})
                .contentType("application/vnd.shop+json; charset=utf-8")
                .header("Empty", "")
                .header("empty", "headers differ by case")
                .occurredAt(Instant.parse("1999-12-31T23:59:59.123456Z"))
                .availableAt(fixture.now().minusSeconds(5))
                .build();

        deliver(event);

        assertThat(found(event).entry().event()).isEqualTo(event);
    }

    @Test
    void deliveriesOfOneSettleHaveOneTimeAndThoseOfALaterOneALaterTime() {
        List<Event> together = IntStream.range(0, 50)
                .mapToObj(i -> event(new OrderKey("orders", "k-" + i)))
                .toList();
        deliver(together);
        Event later = event(KEY);
        deliver(later);

        Instant first = found(together.get(0)).since();
        assertThat(together)
                .allSatisfy(event -> assertThat(found(event).since()).isEqualTo(first));
        assertThat(found(later).since()).isAfter(first);
    }

    @Test
    void onlyWhatWasDeliveredIsRemembered() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 2);
        Event cancelled = delayed(KEY, Duration.ofHours(1));
        publish(cancelled);
        operations.cancel(cancelled.id(), TESTER);
        settle(lease, retried(entries.get(0), LONG), died(entries.get(1), DeadLetterPolicy.SKIP));

        assertThat(found(entries.get(0).event()).place()).isEqualTo(Place.RETRYING);
        assertThat(found(entries.get(1).event()).place()).isEqualTo(Place.DEAD);
        assertThat(operations.find(cancelled.id())).isEmpty();
    }

    @Test
    void aRedrivenDeadLetterThatArrivesIsRemembered() {
        Lease lease = takeFor(RELAY, KEY);
        Entry entry = published(event(KEY));
        settle(lease, died(entry, DeadLetterPolicy.SKIP));
        deadLetters.redrive(entry.sequence(), TESTER);
        settle(lease, delivered(entry));

        assertThat(found(entry.event()).place()).isEqualTo(Place.DELIVERED);
    }

    @Test
    void settlingADeliveryTwiceIsOneDelivery() {
        Entry entry = deliver(event(KEY)).get(0);
        Instant first = found(entry.event()).since();

        settleDelivered(List.of(entry));

        assertThat(found(entry.event()).since()).isEqualTo(first);
    }

    @Test
    void whatIsOlderThanTheRetentionIsCleanedAwayAndNothingElse() {
        reopen(open(RETENTION));
        Event old = event(KEY);
        deliver(old);
        assertThat(cleanAll()).as("it is not old enough").isZero();
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), KEY.shard());
        settle(lease, died(published(event(KEY)), DeadLetterPolicy.PARK));
        publish(event(KEY), event(new OrderKey("mails", "m-1")));
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);
        fixture.passTime(RETENTION.plusMillis(50));
        Event fresh = event(ScanContract.inShard("bills", KEY.shard()));
        deliver(fresh);

        assertThat(cleanAll()).isEqualTo(1);

        assertThat(operations.find(old.id())).isEmpty();
        assertThat(found(fresh).place()).isEqualTo(Place.DELIVERED);
        assertThat(outbox()).hasSize(1);
        assertThat(deadLetters.count(DeadLetterFilter.all())).isEqualTo(1);
        assertThat(deadLetters.parked(10)).singleElement().matches(parked -> parked.waiting() == 1);
    }

    @Test
    void cleaningGoesInPortionsAndSeveralCleanersRemoveEachDeliveryOnce() {
        reopen(open(RETENTION));
        List<Event> events = IntStream.range(0, 2500)
                .mapToObj(i -> event(new OrderKey("orders", "k-" + i)))
                .toList();
        for (int from = 0; from < events.size(); from += 500) {
            deliver(events.subList(from, from + 500));
        }
        fixture.passTime(RETENTION.plusMillis(50));

        int first = store.clean();
        assertThat(first).isBetween(1, 2499);
        try (InParallel threads = new InParallel()) {
            List<Integer> removed = threads.together(List.<Callable<Integer>>of(this::cleanAll, this::cleanAll));
            assertThat(first + removed.get(0) + removed.get(1) + cleanAll()).isEqualTo(2500);
        }

        assertThat(operations.find(events.get(0).id())).isEmpty();
        assertThat(operations.find(events.get(2499).id())).isEmpty();
    }

    @Test
    void withoutRetentionADeliveryLeavesNoTrace() {
        reopen(open(Duration.ZERO));
        Event event = event(KEY);
        Instant before = fixture.now();

        deliver(event);

        assertThat(operations.find(event.id())).isEmpty();
        assertThat(store.clean()).isZero();
        Statistics statistics = operations.statistics();
        assertThat(statistics.deliveredWithin()).isZero();
        assertThat(statistics.destinations()).isEmpty();
        assertThat(replays.count(ReplayFilter.between(before.minusSeconds(1), fixture.now())))
                .isZero();
    }

    @Test
    void whatIsDeliveredWithinTheLastMinuteOrTheRetentionIsCounted() {
        reopen(open(RETENTION));
        deliver(event(KEY), event(KEY));
        assertThat(operations.statistics().deliveredWithin()).isEqualTo(RETENTION);
        assertThat(operations.statistics().destinations()).singleElement().matches(orders -> orders.delivered() == 2);

        fixture.passTime(RETENTION.plusMillis(50));

        assertThat(operations.statistics().destinations()).as("cleaned or not").isEmpty();
    }

    private int cleanAll() {
        int removed = 0;
        for (int portion = store.clean(); portion > 0; portion = store.clean()) {
            removed += portion;
        }
        return removed;
    }

    private Located found(Event event) {
        UUID id = event.id();
        List<Located> found = operations.find(id);
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
