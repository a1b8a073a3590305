package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.operations.Located;
import dev.waybill.operations.Located.Place;
import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What people see of an outbox, and what they cancel. */
abstract class OperationsContract extends StoreContract {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void anEmptyOutboxHasNothingToCount() {
        Statistics statistics = operations.statistics();

        assertThat(statistics.destinations()).isEmpty();
        assertThat(statistics.pending()).isZero();
        assertThat(statistics.dead()).isZero();
        assertThat(statistics.parkedKeys()).isZero();
        assertThat(statistics.oldestAge()).isEmpty();
        assertThat(statistics.liveRelays()).isZero();
        assertThat(statistics.ownedShards()).isZero();
    }

    @Test
    void entriesInTheOutboxAreCountedByDestination() {
        Lease lease = takeFor(RELAY, KEY);
        publish(happeningNow("orders"), happeningNow("orders"), delayed(KEY, HOUR));
        settle(lease, retried(published(event(KEY)), HOUR));
        fixture.passTime(Duration.ofMillis(200));
        publish(happeningNow("mails"));

        Statistics statistics = operations.statistics();

        assertThat(statistics.destinations().stream().map(OfDestination::destination))
                .containsExactly("mails", "orders");
        OfDestination orders = of("orders", statistics);
        assertThat(orders.pending()).isEqualTo(4);
        assertThat(orders.delayed()).isEqualTo(1);
        assertThat(orders.failing()).isEqualTo(1);
        assertThat(orders.oldestAge().orElseThrow()).isBetween(Duration.ofMillis(200), LONG);
        OfDestination mails = of("mails", statistics);
        assertThat(mails).isEqualTo(new OfDestination("mails", 1, 0, 0, mails.oldestAge(), 0, 0, 0, 0, false));
        assertThat(mails.oldestAge().orElseThrow())
                .isLessThan(orders.oldestAge().orElseThrow());
        assertThat(statistics.pending()).isEqualTo(5);
        assertThat(statistics.oldestAge()).isEqualTo(orders.oldestAge());
    }

    @Test
    void whatWaitsForItsNextAttemptKeepsItsAge() {
        Lease lease = takeFor(RELAY, KEY);
        Event event = Event.to(KEY.destination())
                .key(KEY.key())
                .type("tested")
                .occurredAt(fixture.now())
                .build();
        settle(lease, retried(published(event), HOUR));
        fixture.passTime(Duration.ofMillis(200));

        assertThat(of("orders", operations.statistics()).oldestAge().orElseThrow())
                .isBetween(Duration.ofMillis(200), LONG);
    }

    @Test
    void whatIsNotDueHasNoAge() {
        publish(delayed(KEY, HOUR));

        assertThat(of("orders", operations.statistics()).oldestAge()).isEmpty();
    }

    @Test
    void deadWaitingParkedPausedAndDeliveredAreCountedToo() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 4);
        settle(lease, delivered(entries.get(0)), died(entries.get(1), DeadLetterPolicy.PARK));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(2);
        OrderKey mail = ScanContract.inShard("mails", KEY.shard());
        List<Entry> mails = publishedEntries(mail, 2);
        settle(lease, died(mails.get(0), DeadLetterPolicy.SKIP), died(mails.get(1), DeadLetterPolicy.SKIP));
        deadLetters.discard(mails.get(1).sequence(), TESTER);
        operations.pauseDestination("silent", TESTER);
        operations.pauseKey(new OrderKey("bills", "b-1"), TESTER);

        Statistics statistics = operations.statistics();

        assertThat(statistics.deliveredWithin()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(statistics.destinations())
                .containsExactly(
                        new OfDestination("bills", 0, 0, 0, Optional.empty(), 0, 0, 0, 1, false),
                        new OfDestination("mails", 0, 0, 0, Optional.empty(), 0, 1, 0, 0, false),
                        new OfDestination("orders", 0, 0, 0, Optional.empty(), 1, 1, 2, 1, false),
                        new OfDestination("silent", 0, 0, 0, Optional.empty(), 0, 0, 0, 0, true));
        assertThat(statistics.dead()).isEqualTo(2);
        assertThat(statistics.parkedKeys()).isEqualTo(2);
    }

    @Test
    void relaysThatAreAliveAndTheShardsTheyOwnAreCounted() {
        store.renew(RELAY, LONG);
        store.take(RELAY, 10, LONG);
        store.renew(OTHER_RELAY, SHORT);
        store.take(OTHER_RELAY, 5, SHORT);
        assertThat(operations.statistics().liveRelays()).isEqualTo(2);
        assertThat(operations.statistics().ownedShards()).isEqualTo(15);
        assertThat(operations.shardOwners()).hasSize(15);

        outliveShort();

        assertThat(operations.statistics().liveRelays()).isEqualTo(1);
        assertThat(operations.statistics().ownedShards()).isEqualTo(10);
        assertThat(operations.shardOwners()).hasSize(10).containsValue(RELAY).doesNotContainValue(OTHER_RELAY);
        store.leave(RELAY);
        assertThat(operations.statistics().ownedShards()).isZero();
        assertThat(operations.shardOwners()).isEmpty();
    }

    @Test
    void anEventInTheOutboxIsFoundWithItsStateAndTheOwnerOfItsShard() {
        Event pending = event(KEY);
        Event delayed = delayed(KEY, HOUR);
        Event retrying = event(KEY);
        Event dueAgain = event(KEY);
        publish(pending, delayed, retrying, dueAgain);
        assertThat(found(pending).owner()).isNull();
        Lease lease = takeFor(RELAY, KEY);

        settle(lease, retried(entryOf(retrying), HOUR), retried(entryOf(dueAgain), Duration.ZERO));

        assertThat(found(pending)).isEqualTo(new Located(entryOf(pending), Place.PENDING, null, RELAY));
        assertThat(found(delayed).place()).isEqualTo(Place.DELAYED);
        assertThat(found(retrying).place()).isEqualTo(Place.RETRYING);
        assertThat(found(retrying).entry().attempts()).isEqualTo(1);
        assertThat(found(dueAgain).place()).isEqualTo(Place.PENDING);
        assertThat(operations.find(UUID.randomUUID())).isEmpty();
    }

    @Test
    void anEventOfAParkedKeyIsFoundWithWhatWasDecided() {
        Lease lease = takeFor(RELAY, KEY);
        List<Entry> entries = publishedEntries(KEY, 3);
        Instant before = fixture.now();
        settle(lease, died(entries.get(0), DeadLetterPolicy.PARK), died(entries.get(1), DeadLetterPolicy.SKIP));
        store.hold(RELAY, lease, KeyCursor.all(KEY), 10);

        Located head = found(entries.get(0).event());
        assertThat(head.place()).isEqualTo(Place.DEAD);
        assertThat(head.since()).isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
        assertThat(head.entry().lastError()).isEqualTo("it is dead");
        assertThat(found(entries.get(2).event()).place()).isEqualTo(Place.WAITING);
        assertThat(found(entries.get(2).event()).entry().event())
                .isEqualTo(entries.get(2).event());

        deadLetters.skip(KEY, TESTER);
        deadLetters.discard(entries.get(1).sequence(), TESTER);

        assertThat(found(entries.get(0).event()).place()).isEqualTo(Place.SKIPPED);
        assertThat(found(entries.get(1).event()).place()).isEqualTo(Place.DISCARDED);
    }

    @Test
    void anEventThatIsThereSeveralTimesIsFoundSeveralTimes() {
        Event event = event(KEY);
        publish(event);
        publish(event);
        settleDelivered(outbox().subList(0, 1));

        assertThat(operations.find(event.id()).stream().map(Located::place))
                .containsExactlyInAnyOrder(Place.DELIVERED, Place.PENDING);
    }

    @Test
    void anUncommittedEventIsNotFound() {
        Event event = event(KEY);
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event), Set.of());

            assertThat(operations.find(event.id())).isEmpty();
        }
    }

    @Test
    void aDelayedEventIsCancelledOnce() {
        Event event = delayed(KEY, HOUR);
        publish(event);

        assertThat(operations.cancel(event.id(), TESTER)).isTrue();
        assertThat(operations.cancel(event.id(), TESTER)).isFalse();

        assertThat(outbox()).isEmpty();
        assertThat(operations.find(event.id())).isEmpty();
    }

    @Test
    void onlyADelayedEventThatWasNeverTriedIsCancelled() {
        Lease lease = takeFor(RELAY, KEY);
        Entry pending = published(event(KEY));
        Entry tried = published(event(KEY));
        settle(lease, retried(tried, HOUR));

        assertThat(operations.cancel(pending.event().id(), TESTER)).isFalse();
        assertThat(operations.cancel(tried.event().id(), TESTER)).isFalse();
        assertThat(operations.cancel(UUID.randomUUID(), TESTER)).isFalse();

        assertThat(outbox()).hasSize(2);
    }

    @Test
    void aDelayedEventThatWaitsIsCancelled() {
        Lease lease = takeFor(RELAY, KEY);
        operations.pauseKey(KEY, TESTER);
        Event event = delayed(KEY, HOUR);
        publish(event);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);

        assertThat(operations.cancel(event.id(), TESTER)).isTrue();

        assertThat(operations.find(event.id())).isEmpty();
    }

    @Test
    void whoCancelsWaitsForATransactionThatCancels() {
        Event committed = delayed(KEY, HOUR);
        Event rolledBack = delayed(KEY, HOUR);
        publish(committed, rolledBack);
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction committing = fixture.begin();
                StoreFixture.Transaction rollingBack = fixture.begin()) {
            assertThat(committing.cancel(committed.id())).isTrue();
            assertThat(rollingBack.cancel(rolledBack.id())).isTrue();
            Future<Boolean> afterCommit = threads.start(() -> operations.cancel(committed.id(), TESTER));
            Future<Boolean> afterRollback = threads.start(() -> operations.cancel(rolledBack.id(), TESTER));
            assertThat(InParallel.isHeldUp(afterCommit)).isTrue();

            committing.commit();
            rollingBack.rollback();

            assertThat(InParallel.result(afterCommit)).isFalse();
            assertThat(InParallel.result(afterRollback)).isTrue();
        }
        assertThat(audited()).hasSize(1);
    }

    @Test
    void allShardsCanBeOwned() {
        takeAll(RELAY);

        assertThat(operations.statistics().ownedShards()).isEqualTo(Shards.COUNT);
    }

    private Event happeningNow(String destination) {
        return Event.to(destination).type("tested").occurredAt(fixture.now()).build();
    }

    private Located found(Event event) {
        List<Located> found = operations.find(event.id());
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static OfDestination of(String destination, Statistics statistics) {
        return statistics.destinations().stream()
                .filter(one -> one.destination().equals(destination))
                .findFirst()
                .orElseThrow();
    }
}
