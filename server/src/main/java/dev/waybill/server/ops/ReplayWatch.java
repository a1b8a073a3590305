package dev.waybill.server.ops;

import dev.waybill.replay.Replay;
import dev.waybill.replay.Replay.State;
import java.time.Duration;

/** Follows a replay until it has ended. Used by one thread. */
final class ReplayWatch {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS_BEFORE_HINT = 20;

    private final Desk desk;
    private final Answer answer;

    ReplayWatch(Desk desk, Answer answer) {
        this.desk = desk;
        this.answer = answer;
    }

    /** Tells the exit code: failed if somebody cancelled it. */
    int follow(Replay started, long count) {
        answer.line(
                "Ctrl-C stops watching, not the replay; that does: waybill ops replay cancel " + started.generation());
        Replay replay = started;
        int idle = 0;
        while (isOpen(replay) && sleep()) {
            Replay next = desk.replays().find(started.generation()).orElse(replay);
            idle = next.replayed() == replay.replayed() ? idle + 1 : 0;
            if (idle == LOOKS_BEFORE_HINT) {
                hint();
            }
            replay = next;
            answer.progress(Replayed.words(replay) + ", of " + Words.number(count));
        }
        answer.endProgress();
        answer.line(Words.sentence(Replayed.words(replay)));
        answer.figures(Replayed.figures(replay).with("count", count));
        return replay.state() == State.CANCELLED ? OperatorCommand.FAILED : OperatorCommand.OK;
    }

    private static boolean isOpen(Replay replay) {
        return replay.state() == State.RUNNING || replay.state() == State.PAUSED;
    }

    private void hint() {
        answer.endProgress();
        answer.warning(
                desk.operations().statistics().liveRelays() == 0
                        ? "It does not move: no relay is running that could carry it on."
                        : "It does not move at the moment; it may be paused: waybill ops replay list");
    }

    private static boolean sleep() {
        try {
            Thread.sleep(LOOK.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
