package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What the parts of the contract about replays share. */
abstract class ReplayingContract extends StoreContract {
    static final int FAST = 1_000_000;
    private static final Duration STEP = Duration.ofMillis(10);

    /** Starts a replay that nothing slows down, and carries it on until it is done. */
    Replay replayed(ReplayFilter filter) {
        return finished(replays.start(UUID.randomUUID(), filter, FAST, TESTER).generation());
    }

    /** Carries a replay on until it is done; the newest deliveries come when the margin has passed. */
    Replay finished(int generation) {
        Instant end = fixture.now().plus(fixture.replayMargin()).plusSeconds(20);
        while (fixture.now().isBefore(end)) {
            store.advanceReplays();
            Replay replay = replay(generation);
            if (replay.state() == Replay.State.DONE) {
                return replay;
            }
            fixture.passTime(STEP);
        }
        throw new AssertionError("not done: " + replay(generation));
    }

    Replay replay(int generation) {
        Replay replay = replays.find(generation).orElseThrow();
        assertThat(replay.generation()).isEqualTo(generation);
        return replay;
    }
}
