package dev.waybill.deadletter;

import dev.waybill.audit.Signature;
import dev.waybill.store.OrderKey;
import java.util.List;
import java.util.Optional;

/**
 * Dead letters and the keys that wait behind them. Thread-safe.
 *
 * <p>Every decision is atomic, leaves an {@linkplain dev.waybill.audit.AuditRecord audit record} in the same transaction, and is
 * safe to repeat: when there is nothing to decide any more it changes nothing, records nothing and answers
 * {@code false}. It is persisted at once. The relay that owns the shard then puts the entries back in order, and
 * delivers none of them before the last one is back.
 *
 * <p>A dead letter that is tried again stays visible: as {@link DeadLetter.State#REPLAYING}, then as
 * {@link DeadLetter.State#RESOLVED} for some days, or as pending again, with the new reason and one replay more.
 */
public interface DeadLetters {

    /** Dead letters with a sequence beyond {@code afterSequence}, by sequence: the open ones, unless the filter says more. */
    List<DeadLetter> list(DeadLetterFilter filter, long afterSequence, int limit);

    long count(DeadLetterFilter filter);

    Optional<DeadLetter> find(long sequence);

    /** Keys that are parked, paused or releasing, the longest waiting first. */
    List<Parked> parked(int limit);

    /**
     * Tries the dead letter of a parked key again, with all of its attempts, and after it what waits behind it.
     *
     * @return whether the key was parked behind a dead letter
     * @throws ReplayLimitException if it was tried again too often; nothing is changed
     */
    boolean release(OrderKey key, Signature signature);

    /**
     * Lets what waits behind the dead letter of a parked key go on without it; the dead letter stays, as skipped.
     *
     * @return whether the key was parked behind a dead letter
     */
    boolean skip(OrderKey key, Signature signature);

    /**
     * Tries a dead letter again, with all of its attempts. If its key is parked behind it, the key is
     * {@linkplain #release released}.
     *
     * @return whether there was such a dead letter; one that is discarded, replaying or resolved is none
     * @throws ReplayLimitException if it was tried again too often; nothing is changed
     */
    boolean redrive(long sequence, Signature signature);

    /**
     * Corrects a dead letter, so that it can be redriven; its replays are counted anew. The original is kept in the audit
     * record.
     *
     * @return whether there was such a dead letter and it is different now; one that is discarded, replaying or resolved is
     *     none
     * @throws dev.waybill.event.InvalidEventException if the corrected event would not be valid
     */
    boolean edit(long sequence, Correction correction, Signature signature);

    /**
     * Gives up a dead letter for good. If its key is parked behind it, what waits goes on without it. It stays visible
     * for some days.
     *
     * @return whether there was such a dead letter
     */
    boolean discard(long sequence, Signature signature);
}
