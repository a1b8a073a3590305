package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A replay keeps its rate, whoever carries it on, and can be stopped. */
abstract class ReplayRateContract extends ReplayingContract {
    private static final int PER_SECOND = 100;
    private static final int EVENTS = 300;
    private static final Duration BLINK = Duration.ofMillis(3);

    @Test
    void aReplayIsAsFastAsItMayBeAndNotFaster() {
        Replay replay = start(PER_SECOND);

        fixture.passTime(Duration.ofMillis(300));
        assertPace(replay);

        // Fractions of an entry are not lost between steps.
        for (int i = 0; i < 20; i++) {
            fixture.passTime(BLINK);
            store.advanceReplays();
        }
        assertPace(replay);
        assertThat(replay(replay.generation()).replayed()).isEqualTo(outbox().size());
        assertThat(replay(replay.generation()).state()).isEqualTo(Replay.State.RUNNING);
    }

    @Test
    void afterALongBreakNoMoreThanASecondsWorthComesAtOnce() {
        start(PER_SECOND);
        fixture.passTime(Duration.ofMillis(1300));
        Instant before = fixture.now();

        assertThat(store.advanceReplays()).isEqualTo(PER_SECOND);

        assertThat((double) store.advanceReplays()).isLessThanOrEqualTo(allowedSince(before));
    }

    @Test
    void severalWhoCarryItOnNeitherSkipNorRepeatAnEntryNorExceedTheRate() {
        List<Event> events = events();
        Instant start = fixture.now();
        deliver(events);
        ReplayFilter filter = ReplayFilter.between(start, fixture.now());
        fixture.passTime(fixture.replayMargin());
        Replay replay = replays.start(UUID.randomUUID(), filter, 2 * EVENTS, TESTER);
        try (InParallel threads = new InParallel()) {
            Callable<Integer> runner = () -> carryOn(replay.generation());

            List<Integer> copied = threads.together(List.of(runner, runner, runner, runner));

            assertThat(copied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(EVENTS);
        }
        assertThat(ids(outbox())).isEqualTo(idsOf(events));
        Replay done = replay(replay.generation());
        assertThat(done.replayed()).isEqualTo(EVENTS);
        assertThat(Duration.between(done.startedAt(), done.endedAt())).isGreaterThanOrEqualTo(Duration.ofMillis(499));
    }

    @Test
    void aPausedReplayStandsStillAndGoesOnWhereItWas() {
        Replay replay = start(PER_SECOND);
        int generation = replay.generation();
        fixture.passTime(Duration.ofMillis(100));
        Instant stepped = fixture.now();
        int before = store.advanceReplays();
        assertThat(before).isPositive();
        assertThat(replays.resume(generation, TESTER)).as("it is running").isFalse();

        assertThat(replays.pause(generation, TESTER)).isTrue();
        assertThat(replays.pause(generation, TESTER)).isFalse();
        double notYetSent = allowedSince(stepped);
        assertThat(store.hasRunningReplays()).isFalse();
        assertThat(replay(generation).state()).isEqualTo(Replay.State.PAUSED);
        fixture.passTime(Duration.ofMillis(500));
        assertThat(store.advanceReplays()).isZero();

        Instant resumed = fixture.now();
        assertThat(replays.resume(generation, TESTER)).isTrue();
        assertThat(store.hasRunningReplays()).isTrue();
        assertThat((double) store.advanceReplays())
                .as("the time of the pause does not count")
                .isLessThanOrEqualTo(1 + notYetSent + allowedSince(resumed));
        fixture.passTime(Duration.ofMillis(100));
        store.advanceReplays();
        assertThat(outbox()).hasSizeGreaterThan(before);
        assertThat(outbox().stream().map(entry -> entry.event().id())).doesNotHaveDuplicates();
    }

    @Test
    void aCancelledReplayHasEndedAndWhatItSentStays() {
        Replay replay = start(PER_SECOND);
        int generation = replay.generation();
        fixture.passTime(Duration.ofMillis(100));
        int copied = store.advanceReplays();

        assertThat(replays.cancel(generation, TESTER)).isTrue();

        assertThat(replays.cancel(generation, TESTER)).isFalse();
        assertThat(replays.pause(generation, TESTER)).isFalse();
        assertThat(replays.resume(generation, TESTER)).isFalse();
        fixture.passTime(Duration.ofMillis(100));
        assertThat(store.advanceReplays()).isZero();
        assertThat(store.hasRunningReplays()).isFalse();
        assertThat(outbox()).hasSize(copied);
        Replay ended = replay(generation);
        assertThat(ended.state()).isEqualTo(Replay.State.CANCELLED);
        assertThat(ended.replayed()).isEqualTo(copied);
        assertThat(ended.endedAt()).isBetween(replay.startedAt(), fixture.now());
        assertThat(ended.position()).isNotNull();
    }

    @Test
    void aPausedReplayIsCancelledAndAnEndedOneIsNot() {
        ReplayFilter empty = ReplayFilter.between(fixture.now().minusSeconds(60), fixture.now());
        int paused = replays.start(UUID.randomUUID(), empty, PER_SECOND, TESTER).generation();
        replays.pause(paused, TESTER);
        int done = replayed(empty).generation();

        assertThat(replays.cancel(paused, TESTER)).isTrue();
        assertThat(replays.cancel(done, TESTER)).isFalse();
        assertThat(replays.pause(done, TESTER)).isFalse();
        assertThat(replays.cancel(Integer.MAX_VALUE, TESTER)).isFalse();

        assertThat(replay(done).state()).isEqualTo(Replay.State.DONE);
    }

    @Test
    void replaysGoOnSideBySideAtTheirOwnRates() {
        Replay slow = start(PER_SECOND / 10);
        Replay fast = replays.start(UUID.randomUUID(), slow.filter(), FAST, TESTER);

        finished(fast.generation());

        assertThat(replay(slow.generation()).state()).isEqualTo(Replay.State.RUNNING);
        assertThat(replay(slow.generation()).replayed()).isLessThan(EVENTS);
        assertThat(outbox().stream().filter(entry -> entry.replay() == fast.generation()))
                .hasSize(EVENTS);
    }

    /** Delivers all events, and starts to replay them when nothing but the rate holds them back. */
    private Replay start(int perSecond) {
        Instant start = fixture.now();
        deliver(events());
        ReplayFilter filter = ReplayFilter.between(start, fixture.now());
        fixture.passTime(fixture.replayMargin());
        return replays.start(UUID.randomUUID(), filter, perSecond, TESTER);
    }

    private static List<Event> events() {
        return IntStream.range(0, EVENTS)
                .mapToObj(i -> event(new OrderKey("orders", "k-" + i % 10)))
                .toList();
    }

    /** Carries the replay on; the step is somewhere between two looks at the clock. */
    private void assertPace(Replay replay) {
        double least = allowedSince(replay.startedAt()) - 1;
        store.advanceReplays();
        double most = allowedSince(replay.startedAt());
        assertThat((double) outbox().size()).isBetween(least, most);
    }

    private double allowedSince(Instant time) {
        return PER_SECOND * Duration.between(time, fixture.now()).toNanos() / 1e9;
    }

    private int carryOn(int generation) {
        Instant end = fixture.now().plusSeconds(30);
        int copied = 0;
        while (replay(generation).state() == Replay.State.RUNNING
                && fixture.now().isBefore(end)) {
            copied += store.advanceReplays();
            fixture.passTime(BLINK);
        }
        return copied;
    }
}
