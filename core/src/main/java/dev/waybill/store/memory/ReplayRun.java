package dev.waybill.store.memory;

import dev.waybill.replay.Replay;
import dev.waybill.replay.Replay.State;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A replay while it goes on; guarded by the store's lock. */
final class ReplayRun {
    private static final int BATCH = 5_000;
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final long SECOND = ONE_SECOND.toNanos();

    final int generation;
    private final UUID request;
    private final ReplayFilter filter;
    private final int perSecond;
    private final Instant startedAt;

    private State state = State.RUNNING;
    private long replayed;
    private History.@Nullable Position position;
    private @Nullable Instant endedAt;
    private Instant steppedAt;
    // In billionths of an entry, so that nothing is lost between steps, however short they are.
    private long credit;

    ReplayRun(int generation, UUID request, ReplayFilter filter, int perSecond, Instant now) {
        this.generation = generation;
        this.request = request;
        this.filter = filter;
        this.perSecond = perSecond;
        this.startedAt = now;
        this.steppedAt = now;
    }

    /** Copies as many deliveries into the outbox as the time that has passed allows. */
    int advance(History history, OutboxTable outbox, Instant now) {
        int allowed = allowed(now);
        int copied = 0;
        for (Map.Entry<History.Position, Entry> delivery :
                history.between(next(), filter.to()).entrySet()) {
            if (fits(filter, delivery)) {
                if (copied == allowed) {
                    return spend(copied);
                }
                outbox.add(Row.copied(outbox.nextSequence(), delivery.getValue().event(), generation, now));
                copied++;
            }
            position = delivery.getKey();
        }
        position = History.Position.before(filter.to());
        end(State.DONE, now);
        return spend(copied);
    }

    /** Whether the filter means a delivery; copies are not replayed again. */
    static boolean fits(ReplayFilter filter, Map.Entry<History.Position, Entry> delivery) {
        Entry entry = delivery.getValue();
        return entry.replay() == 0
                && filter.matches(entry.event(), delivery.getKey().deliveredAt());
    }

    /** What a second allows is the most that can be saved up: after a pause or a crash there is no flood. */
    private int allowed(Instant now) {
        Duration elapsed = Duration.between(steppedAt, now);
        long nanos = elapsed.compareTo(ONE_SECOND) > 0 ? SECOND : Math.max(0, elapsed.toNanos());
        steppedAt = now;
        credit = Math.min(perSecond * SECOND, credit + perSecond * nanos);
        return (int) Math.min(BATCH, credit / SECOND);
    }

    private int spend(int copied) {
        credit -= copied * SECOND;
        replayed += copied;
        return copied;
    }

    private History.Position next() {
        return position == null ? History.Position.before(filter.from()) : position;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean hasEnded() {
        return state == State.DONE || state == State.CANCELLED;
    }

    /** Deliveries of this time and later may still be needed. */
    Instant neededFrom() {
        return next().deliveredAt();
    }

    boolean pause() {
        return change(State.RUNNING, State.PAUSED);
    }

    boolean resume(Instant now) {
        if (!change(State.PAUSED, State.RUNNING)) {
            return false;
        }
        steppedAt = now;
        return true;
    }

    boolean cancel(Instant now) {
        if (hasEnded()) {
            return false;
        }
        end(State.CANCELLED, now);
        return true;
    }

    private boolean change(State from, State to) {
        if (state != from) {
            return false;
        }
        state = to;
        return true;
    }

    private void end(State last, Instant now) {
        state = last;
        endedAt = now;
    }

    Replay read() {
        Instant lookedAtBefore = position == null ? null : position.deliveredAt();
        return new Replay(generation, request, filter, perSecond, state, replayed, lookedAtBefore, startedAt, endedAt);
    }
}
