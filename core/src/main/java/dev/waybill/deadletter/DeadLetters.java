package dev.waybill.deadletter;

import dev.waybill.store.OrderKey;
import java.util.List;

/**
 * Dead letters and the keys that wait behind them. Thread-safe; every decision is atomic and safe to repeat.
 *
 * <p>A decision is persisted at once. The relay that owns the shard then puts the entries back in order, and delivers none
 * of them before the last one is back.
 */
public interface DeadLetters {

    /** Dead letters with a sequence beyond {@code afterSequence}, by sequence. */
    List<DeadLetter> list(long afterSequence, int limit);

    /** Keys that are parked or releasing, by their dead letter's sequence, the longest waiting first. */
    List<Parked> parked(int limit);

    /**
     * Tries the dead letter of a parked key again, with all of its attempts, and after it what waits behind it.
     *
     * @return whether the key was parked
     */
    boolean release(OrderKey key);

    /**
     * Lets what waits behind the dead letter of a parked key go on without it; the dead letter stays, as skipped.
     *
     * @return whether the key was parked
     */
    boolean skip(OrderKey key);

    /**
     * Tries a dead letter again that parks nothing: one without a key, or of a destination whose policy is to skip, or
     * skipped. The dead letter of a parked key is {@linkplain #release released} instead.
     *
     * @return whether there was such a dead letter
     */
    boolean redrive(long sequence);
}
