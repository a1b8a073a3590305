package dev.waybill.relay;

import dev.waybill.store.KeyCursor;
import dev.waybill.store.OrderKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parcels of one (destination, key), in order, at most one of them on its way unless the transport keeps the order. Owned by
 * the relay's thread.
 *
 * <p>A parcel without a key has a line of its own. A line with a key exists while something of the key is in hand, held
 * back or left in the store.
 */
final class Line {
    private static final int NONE = -1;
    /** What a backlog has of a key in hand, on its way or queued: a queue that grows takes longer than what it holds. */
    private static final int FEW = 4;

    final @Nullable OrderKey key;
    final Shard shard;
    final Destination destination;
    final Deque<Parcel> queue = new ArrayDeque<>(FEW);

    /** The parcel that is sent or about to probe; nothing else of the line may be sent meanwhile. */
    @Nullable
    Parcel onTheWay;

    /** What was sent together with it, to a transport that keeps the order; empty otherwise. */
    final Deque<Parcel> behind = new ArrayDeque<>(FEW);

    /** Waits in the depot's queue of lines that are ready to send. */
    boolean scheduled;

    private boolean incomplete;
    private long heldBy = NONE;

    /** Nothing of the key is left in the store below this that is not in hand, except for late commits. */
    private long leftFrom = Long.MAX_VALUE;

    /**
     * The next refill ends here, at the entry that held the key: if that one fails again, what comes after it would have been
     * read in vain, and all that was delivered in between read over.
     */
    private long refillTo = Long.MAX_VALUE;

    private boolean leftBeyond;

    Line(@Nullable OrderKey key, Shard shard, Destination destination) {
        this.key = key;
        this.shard = shard;
        this.destination = destination;
    }

    /** Whether entries of the key were passed over: none may join the queue before they are read from the store, by key. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** Whether an entry that is not yet due holds the key. */
    boolean isHeld() {
        return heldBy != NONE;
    }

    /** Whether something of the key that is not in hand may have to go before an entry. */
    boolean blocks(long sequence) {
        return isHeld() || incomplete || sequence > refillTo;
    }

    boolean isHeldBy(long sequence) {
        return heldBy == sequence;
    }

    /** A late commit below the entry that holds the key need not wait for it. */
    boolean isHeldByLaterThan(long sequence) {
        return heldBy > sequence;
    }

    void hold(long sequence) {
        heldBy = sequence;
        leave(sequence);
    }

    /** An entry stays in the store, or goes back there: the next refill begins there at the latest, or a lane brings it. */
    void leave(long sequence) {
        leftFrom = Math.min(leftFrom, sequence);
    }

    /** An entry is left, and none may join the queue before it is read by key. */
    void passOver(long sequence) {
        incomplete = true;
        leftBeyond |= sequence > refillTo;
        leave(sequence);
    }

    /** Nobody knows any more what is left of the key: the next refill reads all of it. */
    void passOverAll() {
        refillTo = Long.MAX_VALUE;
        leftBeyond = false;
        passOver(0);
    }

    /** What is left of the key takes part again: whatever of it is not taken in hand is left anew. */
    long takeLeft() {
        long from = leftFrom;
        incomplete = false;
        leftFrom = Long.MAX_VALUE;
        return from;
    }

    /** The stretch of the key that is read now. */
    KeyCursor beginRefill(OrderKey refilled) {
        KeyCursor all = shard.stretch(refilled, takeLeft());
        if (all.to() <= refillTo) {
            // The entry that held the key was the last one read, or comes again: the scan or a lane brings the rest.
            refillTo = Long.MAX_VALUE;
            leftBeyond = false;
        }
        return all.upTo(refillTo);
    }

    /** What was read of the key has been taken in hand or left. */
    void endRefill() {
        long to = refillTo;
        boolean rest = leftBeyond;
        refillTo = Long.MAX_VALUE;
        leftBeyond = false;
        if (rest) {
            passOver(to + 1);
        }
    }

    /** The entry that holds the key holds it no longer: it may be due or cancelled, or something lower was committed late. */
    void letGo() {
        refillTo = heldBy;
        leftBeyond = incomplete;
        heldBy = NONE;
    }

    /** Nothing is on the way or queued. */
    boolean isIdle() {
        return onTheWay == null && queue.isEmpty();
    }

    void depart(Parcel parcel) {
        if (onTheWay == null) {
            onTheWay = parcel;
        } else {
            behind.addLast(parcel);
        }
    }

    /** It is no longer on its way: the next one behind it is the first of those that are. */
    void land(Parcel parcel) {
        if (parcel == onTheWay) {
            onTheWay = behind.pollFirst();
        } else {
            behind.remove(parcel);
        }
    }

    void add(Parcel parcel) {
        Parcel last = queue.peekLast();
        queue.addLast(parcel);
        if (last != null && last.sequence() > parcel.sequence()) {
            // A late commit: rare enough to sort the whole queue.
            List<Parcel> sorted = new ArrayList<>(queue);
            sorted.sort(Comparator.comparingLong(Parcel::sequence));
            queue.clear();
            queue.addAll(sorted);
        }
    }
}
