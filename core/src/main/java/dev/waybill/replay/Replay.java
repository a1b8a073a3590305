package dev.waybill.replay;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replay and how far it has come.
 *
 * @param generation the number that every entry of it carries; later replays have higher ones
 * @param request    the caller's name for it, so that asking twice starts it once
 * @param perSecond  at most so many entries are put into the outbox in a second
 * @param replayed   so many were put into the outbox
 * @param position   deliveries before this time have been looked at; {@code null}: none yet
 * @param endedAt    when it was done or cancelled
 */
public record Replay(
        int generation,
        UUID request,
        ReplayFilter filter,
        int perSecond,
        State state,
        long replayed,
        @Nullable Instant position,
        Instant startedAt,
        @Nullable Instant endedAt) {

    /** What a replay is doing. */
    public enum State {
        RUNNING,
        PAUSED,
        DONE,
        CANCELLED
    }
}
