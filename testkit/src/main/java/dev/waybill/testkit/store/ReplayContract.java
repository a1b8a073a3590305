package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.operations.Located;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What was delivered is sent again. */
abstract class ReplayContract extends ReplayingContract {
    private static final OrderKey OTHER_KEY = new OrderKey("orders", "o-2");

    abstract StoreFixture open(Duration retention);

    @Test
    void aReplayPutsCopiesIntoTheOutboxInTheOrderOfDelivery() {
        Instant start = fixture.now();
        List<Entry> entries = new ArrayList<>();
        publish(event(KEY), sized(OTHER_KEY, 100), keyless("mails"), event(KEY), event(OTHER_KEY));
        List<Entry> pending = outbox();
        // Not in the order of the sequences, but in that of each key.
        for (int i : new int[] {2, 1, 0}) {
            settleDelivered(List.of(pending.get(i)));
            entries.add(pending.get(i));
        }
        settleDelivered(pending.subList(3, 5));
        entries.addAll(pending.subList(3, 5));
        ReplayFilter filter = ReplayFilter.between(start, fixture.now());
        assertThat(replays.count(filter)).isEqualTo(5);

        Replay done = replayed(filter);

        List<Entry> copies = outbox();
        assertThat(ids(copies)).isEqualTo(ids(entries));
        assertThat(copies.stream().map(Entry::event))
                .isEqualTo(entries.stream().map(Entry::event).toList());
        assertThat(copies.get(0).sequence()).isGreaterThan(pending.get(4).sequence());
        assertThat(copies).allMatch(copy -> copy.replay() == done.generation() && copy.attempts() == 0 && copy.isDue());
        assertThat(copies.stream().map(Entry::shard))
                .isEqualTo(entries.stream().map(Entry::shard).toList());
        assertThat(entriesOf(KEY)).hasSize(2);
        assertThat(done.replayed()).isEqualTo(5);
        assertThat(done.position()).isEqualTo(filter.to());
        assertThat(done.endedAt()).isBetween(done.startedAt(), fixture.now().plusMillis(1));
        assertThat(store.hasRunningReplays()).isFalse();
    }

    @Test
    void aFilterLeavesOutWhatDoesNotFitAndTheDryRunCountsTheSame() {
        Instant start = fixture.now();
        List<Event> events = List.of(
                event(KEY),
                event(OTHER_KEY),
                Event.to("orders").key("o-1").type("other").build(),
                Event.to("mails").key("o-1").type("tested").build(),
                keyless("mails"),
                event(KEY));
        List<Instant> times = new ArrayList<>();
        for (Event event : events) {
            deliver(event);
            times.add(deliveredAt(event));
        }
        ReplayFilter all = ReplayFilter.between(start, fixture.now());
        fixture.passTime(fixture.replayMargin());
        Map<ReplayFilter, List<Integer>> expected = new LinkedHashMap<>();
        expected.put(all, List.of(0, 1, 2, 3, 4, 5));
        expected.put(all.withDestination("mails"), List.of(3, 4));
        expected.put(all.withKey("o-1"), List.of(0, 2, 3, 5));
        expected.put(all.withType("other"), List.of(2));
        expected.put(all.withDestination("orders").withKey("o-1").withType("tested"), List.of(0, 5));
        expected.put(all.withDestination("Orders"), List.of());
        expected.put(all.withKey("o-1' OR '1'='1"), List.of());
        expected.put(ReplayFilter.between(times.get(1), times.get(4)), List.of(1, 2, 3));
        expected.put(ReplayFilter.between(times.get(1), times.get(4)).withKey("o-1"), List.of(2, 3));
        expected.put(ReplayFilter.between(Instant.MIN, times.get(1)), List.of(0));
        expected.put(ReplayFilter.between(Instant.EPOCH, Instant.MAX), List.of(0, 1, 2, 3, 4, 5));

        expected.forEach((filter, positions) -> {
            List<UUID> fitting = positions.stream().map(i -> events.get(i).id()).toList();
            assertThat(replays.count(filter)).as("count of " + filter).isEqualTo(fitting.size());
            assertThat(replayed(filter).replayed()).isEqualTo(fitting.size());
            assertThat(ids(outbox())).as(filter.toString()).isEqualTo(fitting);
            settleDelivered(outbox());
        });
    }

    @Test
    void copiesAreNotReplayedAgain() {
        Instant start = fixture.now();
        Event event = event(KEY);
        deliver(event);
        Replay first = replayed(ReplayFilter.between(start, fixture.now()));
        settleDelivered(outbox());

        ReplayFilter everything = ReplayFilter.between(start, fixture.now());
        assertThat(replays.count(everything)).isEqualTo(1);
        Replay second = replayed(everything);

        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(outbox()).singleElement().matches(copy -> copy.replay() == second.generation());
        settleDelivered(outbox());
        assertThat(operations.find(event.id()).stream()
                        .map(located -> located.entry().replay()))
                .containsExactlyInAnyOrder(0, first.generation(), second.generation());
    }

    @Test
    void aReplayIsStartedOnceForARequest() {
        UUID request = UUID.randomUUID();
        ReplayFilter filter = ReplayFilter.between(fixture.now().minusSeconds(60), fixture.now());
        List<Replay> started;
        try (InParallel threads = new InParallel()) {
            started = threads.together(List.of(
                    () -> replays.start(request, filter, 10, TESTER),
                    () -> replays.start(request, filter, 10, TESTER),
                    () -> replays.start(request, filter, 10, TESTER)));
        }

        Replay again = replays.start(request, filter.withKey("different"), 99, TESTER);

        assertThat(started).containsOnly(again);
        assertThat(again.filter()).isEqualTo(filter);
        assertThat(again.perSecond()).isEqualTo(10);
        assertThat(replays.list(10)).containsExactly(again);
        assertThat(audited()).hasSize(1);
    }

    @Test
    void aStartedReplaySaysWhatItIsToDo() {
        Instant before = fixture.now();
        UUID request = UUID.randomUUID();
        ReplayFilter filter = new ReplayFilter(
                before.minusSeconds(60), before.minusSeconds(1), "orders", "ключ '\uD83D\uDE9A", "tested");

        Replay replay = replays.start(request, filter, 7, TESTER);

        assertThat(replay.request()).isEqualTo(request);
        assertThat(replay.filter()).isEqualTo(filter);
        assertThat(replay.perSecond()).isEqualTo(7);
        assertThat(replay.state()).isEqualTo(Replay.State.RUNNING);
        assertThat(replay.replayed()).isZero();
        assertThat(replay.position()).isNull();
        assertThat(replay.endedAt()).isNull();
        assertThat(replay.startedAt())
                .isBetween(before.minusMillis(1), fixture.now().plusMillis(1));
        assertThat(replays.find(replay.generation())).contains(replay);
        assertThat(replays.find(replay.generation() + 1)).isEmpty();
        assertThat(replays.find(0)).isEmpty();
        assertThat(store.hasRunningReplays()).isTrue();
    }

    @Test
    void aReplayEndsNowAtTheLatestAndCannotBeginInTheFuture() {
        Instant future = fixture.now().plus(Duration.ofDays(1));
        ReplayFilter open = ReplayFilter.between(fixture.now().minusSeconds(60), future);

        Replay replay = replays.start(UUID.randomUUID(), open, 10, TESTER);

        assertThat(replay.filter().to()).isBeforeOrEqualTo(fixture.now());
        assertThat(replay.filter().withEnd(open.to())).isEqualTo(open);
        ReplayFilter unborn = ReplayFilter.between(future, future.plusSeconds(1));
        assertThat(replays.count(unborn)).isZero();
        assertThatThrownBy(() -> replays.start(UUID.randomUUID(), unborn, 10, TESTER))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> replays.start(UUID.randomUUID(), open, 0, TESTER))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(replays.list(10)).hasSize(1);
        assertThat(audited()).hasSize(1);
    }

    @Test
    void aReplayOfNothingIsDone() {
        Replay done = replayed(ReplayFilter.between(fixture.now().minusSeconds(60), fixture.now()));

        assertThat(done.replayed()).isZero();
        assertThat(outbox()).isEmpty();
    }

    @Test
    void replaysAreListedTheNewestFirst() {
        ReplayFilter filter = ReplayFilter.between(fixture.now().minusSeconds(60), fixture.now());
        List<Integer> generations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            generations.add(
                    0, replays.start(UUID.randomUUID(), filter, 10, TESTER).generation());
        }

        assertThat(generations).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(replays.list(10).stream().map(Replay::generation)).isEqualTo(generations);
        assertThat(replays.list(2).stream().map(Replay::generation)).isEqualTo(generations.subList(0, 2));
    }

    @Test
    void cleaningSparesWhatAReplayStillNeeds() {
        Duration retention = Duration.ofMillis(300);
        reopen(open(retention));
        Instant start = fixture.now();
        deliver(event(KEY), event(KEY), event(OTHER_KEY));
        ReplayFilter filter = ReplayFilter.between(start, fixture.now());
        int running = replays.start(UUID.randomUUID(), filter, 1, TESTER).generation();
        int paused = replays.start(UUID.randomUUID(), filter, 1, TESTER).generation();
        replays.pause(paused, TESTER);
        fixture.passTime(retention.plusMillis(50));

        assertThat(store.clean()).isZero();
        replays.cancel(running, TESTER);
        assertThat(store.clean()).as("the paused one needs it as well").isZero();
        assertThat(replays.count(filter)).isEqualTo(3);
        replays.cancel(paused, TESTER);

        assertThat(store.clean()).isEqualTo(3);
        assertThat(replays.count(filter)).isZero();
    }

    private Instant deliveredAt(Event event) {
        Located found = operations.find(event.id()).get(0);
        assertThat(found.place()).isEqualTo(Located.Place.DELIVERED);
        return Objects.requireNonNull(found.since());
    }
}
