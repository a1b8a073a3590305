package dev.waybill.store.memory;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Parked;
import dev.waybill.operations.Pause;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.ParkedKey.State;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A parked, paused or releasing key, and what waits of it; guarded by the store's lock. */
final class Plot {
    // No entry has it.
    private static final long NONE = 0;

    final OrderKey key;
    final int shard;
    final TreeMap<Long, Row> waiting = new TreeMap<>();
    private final Instant since;
    private long deadSequence = NONE;
    private State state = State.PARKED;
    private @Nullable Signature pausedBy;

    Plot(OrderKey key, int shard, Instant since) {
        this.key = key;
        this.shard = shard;
        this.since = since;
    }

    boolean isParked() {
        return state == State.PARKED;
    }

    boolean isPaused() {
        return isParked() && deadSequence == NONE;
    }

    boolean isBehindDeadLetter() {
        return isParked() && deadSequence != NONE;
    }

    /** The dead letter at the head, or the one that was; 0: none. */
    long deadSequence() {
        return deadSequence;
    }

    /** Puts a dead letter at the head, unless there is one. */
    boolean parkBehind(long sequence) {
        if (isBehindDeadLetter()) {
            return false;
        }
        state = State.PARKED;
        deadSequence = sequence;
        pausedBy = null;
        return true;
    }

    void pause(Signature signature) {
        pausedBy = signature;
    }

    void release() {
        state = State.RELEASING;
        pausedBy = null;
    }

    ParkedKey read() {
        return new ParkedKey(key, shard, state);
    }

    /** As an operator sees it. */
    Parked describe() {
        OptionalLong head = deadSequence == NONE ? OptionalLong.empty() : OptionalLong.of(deadSequence);
        return new Parked(read(), head, since, waiting.size());
    }

    /** The decision that holds the key back, if one does. */
    Optional<Pause> readPause() {
        return pausedBy == null
                ? Optional.empty()
                : Optional.of(new Pause(key.destination(), key.key(), since, pausedBy));
    }
}
